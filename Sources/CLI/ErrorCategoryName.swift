enum ErrorCategoryName {
    /// The words for an error category's name in the store; a name that is not in `own` is split at its capitals.
    static func shown(_ word: String) -> String {
        Self.own[word] ?? word.map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    }

    private static let own: [String: String] = [
        "authRejected": "the server refused the user name or password",
        "authNotOffered": "the server offers no authentication scheme",
        "appPasswordNeeded": "the server requires an app password",
        "authUnsupported": "the authentication scheme of the server is not supported",
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
        "brokenOff": "the connection was interrupted",
        "cancelled": "the sync was stopped before its end",
        "itemTooLarge": "an item is too large for the server",
        "overQuota": "no space left on the server",
        "sameUID": "the server has another item with the same UID",
        "itemRefused": "the server refused an item",
        "badAnswer": "the response of the server is not valid",
        "noLibrary": "a library is missing",
        "other": "the log of the tenant has the reason",
        "processEnded": "the process of a sync ended before its end",
        "runTooLong": "the sync took longer than 15 minutes",
        "storeOpenToOthers": "other users can write to the store",
    ]
}
