import RemindavBridge

extension FeedPushError {
    /// The problem in words, without an address of a feed or of a file.
    var sentence: String {
        let status = self.status.map { " (\($0))" } ?? ""
        let detail = self.detail.map { ": \(Sanitizer.excerpt($0))" } ?? ""
        let text = self.code.rawValue + status + detail
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    var explanation: Explanation {
        let row = self.advice
        let name = "\(self.code)"
        let code = "feed\(name.prefix(1).uppercased())\(name.dropFirst())"
        return Explanation(code, self.sentence, advice: row.text, status: row.status)
    }

    private var advice: (status: ExitStatus, text: String) {
        switch self.code {
        case .badAddress:
            (.usage, "Nothing was sent. Use the address of a file, such as https://cloud.example.org/dav/work.ics.")
        case .insecure: (.refused, "Nothing was sent. Use an address that begins with https://.")
        case .signIn:
            (.authentication, "Nothing was changed. Set them again with 'remindav feed push FEED URL --user NAME'.")
        case .passwordMissing:
            (.authentication, "Nothing was sent. Set it again with 'remindav feed push FEED URL --user NAME'.")
        case .forbidden: (.failure, "Nothing was changed. Use a folder in which this user may write.")
        case .notAllowed: (.failure, "Nothing was changed. Use the address of a file in a WebDAV folder.")
        case .folderMissing: (.failure, "Nothing was changed. Create the folder on the server, or check the address.")
        case .fileExists:
            (.conflict, "Nothing was changed. Use another address, or add --overwrite to replace the file.")
        case .fileChanged: (.conflict, "Nothing was changed. Add --overwrite to replace the file.")
        case .tooLarge: (.failure, "Nothing was changed. Revoke the feed and create one with --list or --label.")
        case .noSpace: (.failure, "Nothing was changed. Free some space on the server, and try again.")
        case .busy, .serverFailed: (.network, "Try again later.")
        case .redirected: (.refused, "Nothing was changed. If the other address is correct, use it instead.")
        case .webPage: (.failure, "Check the address; the manual of the server contains its WebDAV address.")
        case .refused: (.failure, "Nothing was changed. Check the address, and that its name ends with .ics.")
        case .certificate: (.network, "Nothing was sent. Check the address, or set --ca-file for your own server.")
        case .unreachable: (.network, "Check the address and the connection, then try again.")
        }
    }
}
