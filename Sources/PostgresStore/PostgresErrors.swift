import RemindavStore

extension DatabaseError {
    /// Creates the error for a five-letter SQLSTATE (appendix A of PostgreSQL's manual).
    ///
    /// - Parameter state: `nil` means that the connection failed.
    init(sqlState state: String?) {
        let reason: String? =
            switch state {
            case Self.noRight: "the role of this process has no right to do this; the role remindav_worker has it"
            case Self.isReadOnly: HostObstacle.readOnly.sentence
            default: state.map { "error \($0)" }
            }
        self.init(Self.code(sqlState: state), detail: 0, reason: reason)
    }

    /// Creates the error for a connection that was not opened.
    ///
    /// libpq has no code for this, so the English text decides. A server with messages in another language gets the
    /// code ``Code/unavailable``, and so does one that starts, stops, or has too many connections.
    /// - Parameter message: libpq's message, with a line for each address of the server.
    init(failedConnection message: String) {
        let lines = message.split(whereSeparator: \.isNewline)
        // An answer of a server says more than an address without a server.
        let answer = lines.lazy.compactMap { line in
            line.firstRange(of: "FATAL:").map { line[$0.upperBound...].drop { $0 == " " } }
        }.first
        let words = String(answer ?? lines.first ?? "")
        let refusal = (Self.refusals + Self.unreadableSettings).first {
            words.hasPrefix($0.start) && ($0.words.isEmpty || words.contains($0.words)) && words.hasSuffix($0.end)
        }
        let reason = words + (refusal.map { "; \($0.remedy)" } ?? "")
        self.init(refusal?.code ?? .unavailable, detail: 0, reason: reason)
    }

    /// A reason why the server, or libpq, refuses a connection.
    private struct Refusal {
        var start = ""
        var words = ""
        var end = ""
        var code = Code.signInRefused
        let remedy: String
    }

    private static let refusals = [
        Refusal(
            words: "database \"",
            end: "does not exist",
            code: .databaseMissing,
            remedy: "correct the setting, or create the database with 'createdb' and 'remindav host init'"
        ),
        Refusal(words: "definition of service ", code: .databaseMissing, remedy: "add it to ~/.pg_service.conf"),
        Refusal(
            words: "role \"",
            end: "does not exist",
            remedy:
                "name a role in the setting 'host', such as user=\(HostSchema.worker), which 'remindav host init' creates"
        ),
        Refusal(words: "is not permitted to log in", remedy: "'ALTER ROLE … LOGIN' permits it"),
        Refusal(words: "permission denied for database", remedy: "'GRANT CONNECT' permits it"),
        Refusal(
            words: "no password supplied",
            remedy: "add the line HOST:PORT:DATABASE:ROLE:PASSWORD to ~/.pgpass, a file with the mode 0600"
        ),
        Refusal(words: "password authentication failed", remedy: "check the password in ~/.pgpass"),
        Refusal(
            words: "authentication failed",
            remedy: "run the command as the user of this role, or add the user to pg_ident.conf and pg_hba.conf"
        ),
        Refusal(
            words: "server does not support SSL",
            code: .unsuitable,
            remedy: "set 'ssl = on' and a certificate in postgresql.conf, and reload it"
        ),
        Refusal(words: "pg_hba.conf", remedy: "add a line for the role, and run 'systemctl reload postgresql'"),
    ]

    /// The beginnings of messages about a connection string that libpq cannot read.
    private static let unreadableSettings = [
        "invalid ", "missing \"=\" after", "missing key/value separator", "extra key/value separator",
        "unterminated quoted string", "could not match ",
    ].map { Refusal(start: $0, code: .unsuitable, remedy: "correct the setting 'host'") }

    /// The role may not read or change a table or column.
    private static let noRight = "42501"

    /// A write in a transaction that accepts none.
    private static let isReadOnly = "25006"

    static func code(sqlState state: String?) -> Code {
        switch state {
        case self.noRight, self.isReadOnly: .unsuitable
        case nil: .unavailable
        case "23505": .alreadyExists
        case "23503": .notFound
        // A lock timeout, a statement timeout, and the two errors of concurrent transactions.
        case "55P03", "57014", "40001", "40P01": .busy
        case "53100", "53200": .full
        // An entry of an index is too long.
        case "54000": .keyTooLong
        // The server or the connection is gone, or has too many connections: 57P is a shutdown, 25P03 an idle session.
        case let state? where state.hasPrefix("08") || state.hasPrefix("57P") || state == "25P03" || state == "53300":
            .unavailable
        case "XX001", "XX002": .corrupt
        default: .other
        }
    }
}
