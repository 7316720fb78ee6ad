internal import RemindavHTTP
internal import RemindavResources
internal import RemindavWebDAV

/// The differences between servers; the client recognises each by its behaviour, not by the server's name.
enum Quirks {
    /// The error code for the status and the body of a failed request.
    ///
    /// A precondition element in the body takes precedence over the status. An expired token gives status 403, or 412
    /// on Xandikos. A UID that another object has gives 409 (Radicale), 412 (Xandikos), 403 (Cyrus), or 400 with only a
    /// message (Nextcloud).
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

    /// Whether a 500 or a 503 is permanent, so that the same request would fail again a second later.
    ///
    /// Nextcloud answers 503 during maintenance. It answers 500 when another object, or an object in the trash, has the
    /// UID; then the message names a violated database constraint (SQLSTATE class 23).
    static func lasts(_ body: ErrorBody) -> Bool {
        let words = body.message?.lowercased() ?? ""
        return ["maintenance", "sqlstate[23", "constraint violation"].contains { words.contains($0) }
    }

    /// Whether the message names a size limit: Nextcloud answers 403 without a precondition element for a large object.
    private static func namesLimit(_ body: ErrorBody) -> Bool {
        let words = body.message?.lowercased() ?? ""
        return words.contains("exceeds") && words.contains("bytes")
    }

    /// Whether the server's database refused to store a second object with the same UID.
    ///
    /// Nextcloud answers 500 for the UID of an object in its trash, with a message of Doctrine and of SQLite, MySQL or
    /// PostgreSQL. Other database errors, such as a lock or a uniqueness rule of another column, do not count.
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
        // Xandikos answers 412 to an invalid date, although 412 normally means that the resource has changed.
        (.validCalendarData, .rejected),
        (.validCalendarObject, .rejected),
        (.supportedCalendarData, .rejected),
        (.supportedComponent, .rejected),
    ]

    /// Whether a sync token or CTag changes with every change of a member; a time in seconds, as SOGo sends, does not.
    static func provesState(_ state: String?) -> Bool {
        guard let state else { return false }
        let isNumber = state.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        return !isNumber || state.utf8.count < self.digitsOfClock && !state.hasPrefix("-")
    }

    /// Seconds since 1970 have ten digits; a shorter number is a counter of changes (sabre/dav 1.8).
    private static let digitsOfClock = 10

    /// Whether a 401 means that the server accepts only an app password.
    ///
    /// No standard defines this. Nextcloud with two-factor sign-in says that password login is forbidden, and other
    /// servers send a sentence for users.
    static func asksForAppPassword(_ response: Response) -> Bool {
        let realms = response.headers.values(of: .wwwAuthenticate).joined(separator: " ")
        let text = (String(decoding: response.body.prefix(self.hintBytes), as: UTF8.self) + realms).lowercased()
        return self.appPasswordWords.contains { text.contains($0) }
    }

    /// The hint is near the beginning of the body, so the rest of a long page is not searched.
    private static let hintBytes = 4096

    private static let appPasswordWords = [
        "app password", "app-password", "app-specific password", "application password",
        "application-specific password", "password login forbidden", "two-factor", "two factor", "2fa",
    ]

    /// Whether the answer to a sync-collection report is plausible.
    ///
    /// Some servers do not notice that a token is invalid, for example after a restore from a backup. They then report
    /// no changes: sabre/dav sends the same token again, although the token of the collection is different. Nextcloud
    /// sends a token with a lower number. To a token of another installation, DAViCal and SOGo answer with all members
    /// and without deletions.
    ///
    /// - Parameter current: the collection's token in a listing; `nil` when it is unknown.
    static func isPlausible(from old: String, to new: String, current: String?) -> Bool {
        if let current, new == old, current != old { return self.isSameSecond(old, current) }
        guard let (newPrefix, newNumber) = self.split(new) else { return true }
        guard let (oldPrefix, oldNumber) = self.split(old) else { return false }
        // SOGo sends -1 for a list that has become empty. `split` then returns the hyphen as the prefix.
        return oldPrefix != newPrefix || newNumber >= oldNumber
    }

    /// Whether a listed state and a token from sync-collection may mean the same state of the collection.
    ///
    /// SOGo's token is a time in seconds. During a second, SOGo sends the previous second, so that the next sync
    /// reports this second again. For an empty list, it sends 0 in the report and -1 in the listing.
    private static func isSameSecond(_ token: String, _ state: String) -> Bool {
        guard !self.provesState(state), let second = Int64(token), let now = Int64(state) else { return false }
        return now > second && now - 1 == second || second == 0 && now == -1
    }

    /// Whether the server ignores `If-Match`, so that the client has to compare the version before a write.
    ///
    /// SOGo does so, and only its entity tags begin with `gcs`.
    static func ignoresConditions(_ etag: EntityTag) -> Bool { etag.wire.hasPrefix("\"gcs") }

    /// The number at the end of a token and the text before it; `nil` for a token without a counter, such as a hash.
    private static func split(_ token: String) -> (prefix: Substring, number: UInt64)? {
        let digits = token.reversed().prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let number = UInt64(String(digits.reversed())) else { return nil }
        let prefix = token.dropLast(digits.count)
        return prefix.last?.isLetter == true ? nil : (prefix, number)
    }
}
