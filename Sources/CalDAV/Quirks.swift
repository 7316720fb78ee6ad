internal import HTTP
internal import WebDAV

/// Where servers differ.
///
/// Each row names who does it; none asks which server it is.
enum Quirks {
    /// The meaning of a status of failure together with its body.
    ///
    /// A named condition comes before the number: an expired token is 403 nearly everywhere and 412 on Xandikos, the
    /// same UID twice is 409 (Radicale), 412 (Xandikos), 403 (Cyrus) or 400 with nothing but words (Nextcloud).
    static func code(for status: Int, _ body: ErrorBody) -> CalDAVError.Code {
        for (precondition, code) in self.preconditions where body.preconditions.contains(precondition) { return code }
        if status == 400, body.message?.lowercased().contains("uid already exists") == true { return .uidConflict }
        switch status {
        case 401, 407: return .unauthorized
        case 403: return body.preconditions.isEmpty ? .forbidden : .rejected
        case 404, 410: return .notFound
        case 412: return .preconditionFailed
        case 413: return .tooLarge
        case 423, 425, 429, 503: return .busy
        case 400, 406, 409, 415, 422: return .rejected
        default: return .serverError
        }
    }

    private static let preconditions: [(Precondition, CalDAVError.Code)] = [
        (.validSyncToken, .syncTokenExpired),
        (.noUIDConflict, .uidConflict),
        (.uniqueSchedulingObject, .uidConflict),
        (.maxResourceSize, .tooLarge),
        (.needPrivileges, .forbidden),
        // Xandikos says 412 to a bad date, which is no conflict.
        (.validCalendarData, .rejected),
        (.validCalendarObject, .rejected),
        (.supportedCalendarData, .rejected),
        (.supportedComponent, .rejected),
    ]

    /// Whether a delta can be believed.
    ///
    /// A token of a list that was deleted and made anew, or from before a restore, is answered with nothing: sabre/dav
    /// echoes it while the collection stands elsewhere, Nextcloud hands out a lower one.
    ///
    /// - Parameters:
    ///   - current: the collection's own token as it was listed, `nil` when unknown.
    static func isPlausible(from old: String, to new: String, current: String?) -> Bool {
        if let current, new == old, current != old { return false }
        guard let (oldPrefix, oldNumber) = self.split(old), let (newPrefix, newNumber) = self.split(new) else {
            return true
        }
        return oldPrefix != newPrefix || newNumber >= oldNumber
    }

    /// Whether the server that made this entity tag ignores conditions, so that the version has to be looked at first.
    ///
    /// SOGo deletes and overwrites whatever `If-Match` or `If-None-Match` says; its tags are the only ones of this
    /// form.
    static func ignoresConditions(_ etag: ETag) -> Bool { etag.wire.hasPrefix("\"gcs") }

    private static func split(_ token: String) -> (prefix: Substring, number: UInt64)? {
        let digits = token.reversed().prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let number = UInt64(String(digits.reversed())) else { return nil }
        return (token.dropLast(digits.count), number)
    }
}
