import RemindavHTTP
import RemindavICalendar
package import RemindavSQLiteStore
package import RemindavStore

/// The sign-ins of browsers to the web pages.
///
/// A browser signs in with a ticket, which is valid once and for a short time, and then sends a cookie. The store's
/// folder contains only the hashes of both.
package struct SignIns: Sendable {
    private let file: SignInFile
    private let now: @Sendable () -> Instant
    private let randomBytes: @Sendable (Int) -> [UInt8]

    /// The seconds in which a browser that this program opens must use its ticket.
    package static let ticketSeconds: Int64 = 60
    /// The seconds for a ticket whose address a person opens on another device.
    package static let linkSeconds: Int64 = 600
    /// The seconds for which a sign-in lasts after its last request.
    package static let validSeconds: Int64 = 30 * 86400
    /// With 128 bits, a ticket cannot be guessed within its lifetime.
    private static let ticketBytes = 16
    private static let cookieBytes = 32
    /// The maximum number of bytes of a stored User-Agent; browsers send up to 200.
    private static let maximumAgentBytes = 300

    /// Opens the sign-ins of a store; a missing file is created.
    package init(_ configuration: Configuration) throws(DatabaseError) {
        self.file = try SignInFile.open(folder: configuration.storeFolder)
        self.now = configuration.now
        self.randomBytes = configuration.randomBytes
    }

    private var seconds: Int64 { self.now().secondsSince1970 }

    /// Creates a ticket of 32 hexadecimal digits.
    package func ticket(validSeconds: Int64) throws(DatabaseError) -> String {
        let ticket = self.randomBytes(Self.ticketBytes).hexadecimal
        let now = self.seconds
        try self.file.addTicket(SHA256(ticket.utf8).bytes, expires: now + validSeconds, now: now)
        return ticket
    }

    /// Whether ``cookie(for:agent:)`` would accept the ticket.
    package func isValid(ticket: String) throws(DatabaseError) -> Bool {
        try self.file.isValid(ticket: SHA256(ticket.utf8).bytes, now: self.seconds)
    }

    /// Exchanges a ticket for a cookie; `nil` if the ticket is unknown, expired or used.
    package func cookie(for ticket: String, agent: String) throws(DatabaseError) -> String? {
        let cookie = self.randomBytes(Self.cookieBytes).hexadecimal
        let isValid = try self.file.exchangeTicket(
            SHA256(ticket.utf8).bytes,
            for: SHA256(cookie.utf8).bytes,
            agent: String(decoding: agent.utf8.prefix(Self.maximumAgentBytes), as: UTF8.self),
            now: self.seconds
        )
        return isValid ? cookie : nil
    }

    /// Whether a browser with this cookie is signed in; a request extends the sign-in by ``validSeconds``.
    package func isSignedIn(_ cookie: String) throws(DatabaseError) -> Bool {
        try self.file.isSignedIn(SHA256(cookie.utf8).bytes, now: self.seconds, validSeconds: Self.validSeconds)
    }

    /// The token in the forms of a sign-in, which another site cannot know.
    package static func token(of cookie: String) -> String { SHA256("form \(cookie)".utf8).hexadecimal }

    /// Ends the sign-in with this cookie.
    package func signOut(cookie: String) throws(DatabaseError) {
        try self.file.signOut(cookie: SHA256(cookie.utf8).bytes)
    }

    /// The number of the browser with this cookie; `nil` for none.
    package func number(of cookie: String) throws(DatabaseError) -> Int64? {
        try self.file.number(of: SHA256(cookie.utf8).bytes)
    }

    /// The signed-in browsers, ordered by number.
    package func browsers() throws(DatabaseError) -> [SignInFile.Browser] { try self.file.browsers() }

    /// Signs out the browser with this number; `nil` signs all out.
    ///
    /// - Returns: the number of browsers that were signed out.
    package func signOut(_ id: Int64?) throws(DatabaseError) -> Int { try self.file.signOut(id) }
}
