internal import HTTP
internal import Resources
internal import WebDAV

/// The differences between servers; none is recognised by the name of the server.
enum Quirks {
    /// The meaning of a failure's status and body.
    ///
    /// A named condition counts before the number: an expired token is 403 nearly everywhere and 412 on Xandikos, a
    /// used UID is 409 (Radicale), 412 (Xandikos), 403 (Cyrus) or 400 with only a message (Nextcloud).
    static func code(for status: Int, _ body: ErrorBody) -> CalDAVError.Code {
        for (precondition, code) in self.preconditions where body.preconditions.contains(precondition) { return code }
        if status == 400, body.message?.lowercased().contains("uid already exists") == true { return .uidConflict }
        switch status {
        case 401, 407: return .unauthorized
        case 403 where self.namesLimit(body): return .tooLarge
        case 403: return body.preconditions.isEmpty ? .forbidden : .rejected
        case 404, 410: return .notFound
        case 412: return .preconditionFailed
        case 413: return .tooLarge
        case 507: return .overQuota
        case 423, 425, 429, 503: return .busy
        case 400, 406, 409, 415, 422: return .rejected
        default: return .serverError
        }
    }

    /// Whether a 500 or a 503 lasts, so that the same request would fail again a second later.
    ///
    /// Nextcloud answers 503 during maintenance, and 500 to a UID that another item has, or one in its trash (a
    /// violated constraint of its database: SQLSTATE class 23).
    static func lasts(_ body: ErrorBody) -> Bool {
        let words = body.message?.lowercased() ?? ""
        return ["maintenance", "sqlstate[23", "constraint violation"].contains { words.contains($0) }
    }

    /// Nextcloud's message for an item above its size limit, with status 403 and without a condition.
    private static func namesLimit(_ body: ErrorBody) -> Bool {
        let words = body.message?.lowercased() ?? ""
        return words.contains("exceeds") && words.contains("bytes")
    }

    /// Whether a failure is a database's refusal to store one UID twice.
    ///
    /// Nextcloud does so for the UID of an object in its trash: 500 with the message of Doctrine and of SQLite, MySQL
    /// or PostgreSQL. Other failures, such as a locked database or a uniqueness rule on another column, do not count.
    static func isUIDTaken(_ status: Int, _ body: ErrorBody) -> Bool {
        guard status == 500 else { return false }
        let text = body.text.lowercased()
        guard self.uniquenessWords.contains(where: { text.contains($0) }) else { return false }
        return text.split { !$0.isLetter }.contains("uid")
    }

    private static let uniquenessWords = [
        "uniqueconstraintviolation", "unique constraint", "duplicate entry", "sqlstate[23505]",
    ]

    private static let preconditions: [(Precondition, CalDAVError.Code)] = [
        (.validSyncToken, .syncTokenExpired),
        (.noUIDConflict, .uidConflict),
        (.uniqueSchedulingObject, .uidConflict),
        (.maxResourceSize, .tooLarge),
        (.quotaNotExceeded, .overQuota),
        (.sufficientDiskSpace, .overQuota),
        (.needPrivileges, .forbidden),
        // Xandikos answers 412 to a bad date, which is no conflict.
        (.validCalendarData, .rejected),
        (.validCalendarObject, .rejected),
        (.supportedCalendarData, .rejected),
        (.supportedComponent, .rejected),
    ]

    /// Whether a collection's state, its token or its tag, changes with each change of a member.
    ///
    /// A number of seconds does not: several writes in one second have the same state (SOGo).
    static func provesState(_ state: String?) -> Bool {
        guard let state else { return false }
        let isNumber = state.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        return !isNumber || state.utf8.count < self.digitsOfClock && !state.hasPrefix("-")
    }

    /// Seconds since 1970 have as many digits; shorter numbers count changes (sabre/dav 1.8).
    private static let digitsOfClock = 10

    /// Whether a 401 means that only an app password is accepted.
    ///
    /// No standard defines it. Nextcloud with two factors answers with a hint that password login is forbidden, other
    /// servers with a sentence for users.
    static func asksForAppPassword(_ response: Response) -> Bool {
        let realms = response.headers.values(of: .wwwAuthenticate).joined(separator: " ")
        let text = (String(decoding: response.body.prefix(self.hintBytes), as: UTF8.self) + realms).lowercased()
        return self.appPasswordWords.contains { text.contains($0) }
    }

    /// A hint is at the beginning of a body, not after a page of HTML.
    private static let hintBytes = 4096

    private static let appPasswordWords = [
        "app password", "app-password", "app-specific password", "application password",
        "application-specific password", "password login forbidden", "two-factor", "two factor", "2fa",
    ]

    /// Whether a delta is credible.
    ///
    /// A token from before a restore, or of a list that was deleted and created again, is answered with nothing:
    /// sabre/dav repeats it while the collection has another state, Nextcloud sends a lower one. DAViCal and SOGo
    /// answer a token of another installation with everything, and without deletions.
    ///
    /// - Parameter current: the collection's token in its listing; `nil` when unknown.
    static func isPlausible(from old: String, to new: String, current: String?) -> Bool {
        if let current, new == old, current != old { return self.isSameSecond(old, current) }
        guard let (newPrefix, newNumber) = self.split(new) else { return true }
        guard let (oldPrefix, oldNumber) = self.split(old) else { return false }
        // SOGo counts seconds, and sends -1 for a list that has become empty.
        return oldPrefix != newPrefix || newNumber >= oldNumber
    }

    /// Whether a list with this state may still have the token's state.
    ///
    /// SOGo counts seconds, and sends the previous one during a second, to report the second again; for an empty list
    /// it sends 0 in one place and -1 in the other.
    private static func isSameSecond(_ token: String, _ state: String) -> Bool {
        guard !self.provesState(state), let second = Int64(token), let now = Int64(state) else { return false }
        return now > second && now - 1 == second || second == 0 && now == -1
    }

    /// Whether the server of this entity tag ignores conditions, so that the version must be read first.
    ///
    /// SOGo deletes and overwrites in spite of `If-Match` or `If-None-Match`; its tags are the only ones of this form.
    static func ignoresConditions(_ etag: EntityTag) -> Bool { etag.wire.hasPrefix("\"gcs") }

    /// `nil` for a token that does not count, such as a hash that ends in digits.
    private static func split(_ token: String) -> (prefix: Substring, number: UInt64)? {
        let digits = token.reversed().prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let number = UInt64(String(digits.reversed())) else { return nil }
        let prefix = token.dropLast(digits.count)
        return prefix.last?.isLetter == true ? nil : (prefix, number)
    }
}
