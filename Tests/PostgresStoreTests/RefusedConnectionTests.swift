import RemindavStore
import Testing

@testable import RemindavPostgresStore

@Suite("connections that PostgreSQL refuses")
struct RefusedConnectionTests {
    @Test(
        "a connection that fails has the code of its reason",
        arguments: [
            ("database \"x\" does not exist", DatabaseError.Code.databaseMissing),
            ("role \"x\" does not exist", .signInRefused),
            ("Peer authentication failed for user \"x\"", .signInRefused),
            ("password authentication failed for user \"x\"", .signInRefused),
            ("no pg_hba.conf entry for host \"::1\", user \"x\", database \"y\", no encryption", .signInRefused),
            ("permission denied for database \"x\"", .signInRefused),
            ("role \"x\" is not permitted to log in", .signInRefused),
            ("the database system is starting up", .unavailable),
            ("sorry, too many clients already", .unavailable),
            // In the language of the server.
            ("Datenbank \"x\" existiert nicht", .unavailable),
        ]
    )
    func refusals(_ words: String, _ code: DatabaseError.Code) {
        let error = DatabaseError(
            failedConnection: "connection to server on socket \"/run/.s.PGSQL.5432\" failed: FATAL:  \(words)"
        )
        #expect(error.code == code)
        #expect("\(error)".contains(": \(words)"))
        #expect("\(error)".contains("; ") == (code != .unavailable))
    }

    @Test(
        "a message of libpq itself",
        arguments: [
            ("definition of service \"x\" not found", DatabaseError.Code.databaseMissing),
            ("connection to server at \"h\", port 5432 failed: fe_sendauth: no password supplied", .signInRefused),
            (
                "connection to server at \"h\", port 5432 failed: server does not support SSL, but SSL was required",
                .unsuitable
            ),
            ("invalid connection option \"foo\"", .unsuitable),
            ("invalid sslmode value: \"foo\"", .unsuitable),
            ("invalid port number: \"foo\"", .unsuitable),
            ("missing \"=\" after \"foo\" in connection info string", .unsuitable),
            ("unterminated quoted string in connection info string", .unsuitable),
            ("missing key/value separator \"=\" in URI query parameter: \"foo\"", .unsuitable),
            (
                "connection to server at \"h\", port 80 failed: received invalid response to SSL negotiation: H",
                .unavailable
            ),
            ("connection to server on socket \"/x\" failed: No such file or directory", .unavailable),
            ("", .unavailable),
            (
                "connection to server at \"::1\" failed: Connection refused\n"
                    + "connection to server at \"127.0.0.1\" failed: FATAL:  role \"x\" does not exist", .signInRefused
            ),
        ]
    )
    func messages(_ message: String, _ code: DatabaseError.Code) {
        #expect(DatabaseError(failedConnection: message).code == code)
    }
}
