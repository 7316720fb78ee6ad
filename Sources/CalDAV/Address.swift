internal import RemindavHTTP

struct Address {
    let url: URL
    /// The domain for the DNS search (RFC 6764 §6), from a plain domain or an e-mail address; `nil` for any other text.
    let domain: String?

    /// URL schemes of other CalDAV programs, each with the equivalent HTTP scheme.
    private static let schemes = [
        "caldavs://": "https://", "caldav://": "http://", "davs://": "https://", "dav://": "http://",
    ]

    /// Paths at which common servers offer CalDAV, relative to the folder in which the server software is installed.
    private static let entryPoints = ["remote.php/dav/", "dav.php/", "dav/", "SOGo/dav/", "davical/caldav.php/"]

    /// Path segments of a server's web pages: the folder of the installation ends before the first of these segments.
    private static let webPages = ["index.php", "apps", "remote.php", "dav.php", "login", "settings"]

    init(_ text: String) throws(CalDAVError) {
        let trimmed = String(text.trimmed)
        guard let url = URL(Self.complete(trimmed)) else { throw Self.refusal(of: trimmed) }
        self.url = url
        let isBare = !trimmed.contains("://") && !trimmed.contains("/") && url.port == nil
        self.domain = isBare && Self.isDomain(url.host) && !url.isLoopback ? url.host : nil
    }

    static func isMail(_ text: some StringProtocol) -> Bool {
        !text.contains("/") && !text.contains(":") && text.count { $0 == "@" } == 1 && !text.hasPrefix("@")
    }

    private static func isDomain(_ host: String) -> Bool {
        guard let last = host.split(separator: ".").last, host.contains(".") else { return false }
        return !host.hasPrefix("[") && !last.allSatisfy(\.isNumber)
    }

    static func candidates(for url: URL) -> [URL] {
        var paths: [String] = []
        if url.path != "/" { paths.append(url.path) }
        let folder = self.installation(of: url.path)
        if folder != "/" { paths += self.entryPoints.prefix(2).map { folder + $0 } }
        paths += ["/.well-known/caldav", "/"]
        paths += self.entryPoints.map { "/" + $0 }
        var seen: Set<String> = []
        return paths.filter { seen.insert($0).inserted }.map { url.replacing(path: $0) }
    }

    static func folders(of url: URL) -> [String] {
        let folder = self.installation(of: url.path)
        return folder == "/" ? [folder] : [folder, "/"]
    }

    /// The folder in which the server software is installed, such as `/cloud/` for `/cloud/index.php/apps/tasks/`.
    private static func installation(of path: String) -> String {
        let segments = path.split(separator: "/").prefix { !self.webPages.contains(String($0)) }
        return segments.isEmpty ? "/" : "/" + segments.joined(separator: "/") + "/"
    }

    private static func complete(_ text: String) -> String {
        let lowered = text.lowercased()
        for (scheme, meaning) in self.schemes where lowered.hasPrefix(scheme) {
            return meaning + text.dropFirst(scheme.count)
        }
        guard !text.contains("://") else { return text }
        let place =
            self.isMail(text) ? text[text.index(after: text.lastIndex(of: "@") ?? text.startIndex)...] : text[...]
        return (URL("http://\(place)")?.isLoopback == true ? "http://" : "https://") + place
    }

    private static func refusal(of text: String) -> CalDAVError {
        let hasUser = text.contains("@")
        // The message does not repeat the entered text, because the text may contain a password.
        return CalDAVError(.badAddress, message: hasUser ? "it must not contain a user name or a password" : nil)
    }
}
