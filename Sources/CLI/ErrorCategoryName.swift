/// The word that the journal keeps for why a sync did not do all.
enum ErrorCategoryName {
    /// As people read it: `timedOut` → `timed out`.
    ///
    /// Most words are clear once they are split at their capitals, including those of other versions.
    static func shown(_ word: String) -> String {
        Self.own[word] ?? word.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    }

    /// Those that are abbreviations, or that only the code understands.
    private static let own: [String: String] = [
        "authRejected": "the server refused the user name or password",
        "authNotOffered": "the server does not say how to sign in",
        "appPasswordNeeded": "the server wants an app password",
        "authUnsupported": "the server's way to sign in is not supported",
        "passwordInClear": "the password would be sent unencrypted",
        "tokenRefused": "the server refused the token",
        "tokenCommandFailed": "the token command failed",
        "notFoundOnServer": "not found on the server",
        "notDAV": "the server does not answer as CalDAV",
        "redirectElsewhere": "the server redirects to another host",
        "notSecure": "the connection is not encrypted",
        "tlsFailed": "no encrypted connection",
        "notTLS": "the port does not use TLS",
        "nameNotFound": "the server's name is not found",
        "brokenOff": "the connection broke off",
        "itemTooLarge": "an item is too large for the server",
        "overQuota": "no space left on the server",
        "sameUID": "the server has another item with the same UID",
        "itemRefused": "the server refused an item",
        "badAnswer": "the server's answer cannot be used",
        "noLibrary": "a library is missing",
        "storeOpenToOthers": "other users may write to the store",
    ]
}
