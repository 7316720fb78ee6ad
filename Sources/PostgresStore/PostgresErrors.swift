import RemindavStore

extension DatabaseError {
    /// Creates the error for a five-letter SQLSTATE (appendix A of PostgreSQL's manual).
    ///
    /// - Parameter state: `nil` means that the connection failed.
    init(sqlState state: String?) {
        let isForbidden = state == Self.noRight
        let reason = isForbidden ? "the role of this process has no right to do this" : state.map { "error \($0)" }
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
        let reason = String(answer ?? lines.first ?? "")
        self.init(Self.code(failedConnection: reason), detail: 0, reason: reason)
    }

    private static func code(failedConnection reason: String) -> Code {
        func isAbout(_ thing: String) -> Bool { reason.hasPrefix(thing) && reason.hasSuffix("does not exist") }
        if isAbout("database ") || reason.hasPrefix("definition of service ") { return .databaseMissing }
        let isRefusal =
            isAbout("role ")
            || [
                "authentication failed", "pg_hba.conf", "no password supplied", "permission denied",
                "is not permitted to log in",
            ].contains { reason.contains($0) }
        return isRefusal ? .signInRefused : .unavailable
    }

    /// The role may not read or change a table or column.
    private static let noRight = "42501"

    static func code(sqlState state: String?) -> Code {
        switch state {
        case self.noRight: .unsuitable
        case nil: .unavailable
        case "23505": .alreadyExists
        case "23503": .notFound
        // A lock timeout, a statement timeout, and the two errors of concurrent transactions.
        case "55P03", "57014", "40001", "40P01": .busy
        case "53100", "53200": .full
        case "25006": .readOnly
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
