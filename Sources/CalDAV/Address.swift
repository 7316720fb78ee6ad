internal import HTTP

/// What a person pastes, and where CalDAV may be found from there.
enum Address {
    /// Schemes that other programs show, and what they mean.
    private static let schemes = [
        "caldavs://": "https://", "caldav://": "http://", "davs://": "https://", "dav://": "http://",
    ]

    /// Where servers keep their entry point, relative to the folder in which they are installed.
    private static let entryPoints = ["remote.php/dav/", "dav.php/", "dav/", "SOGo/dav/", "davical/caldav.php/"]

    /// Parts of a web address that belong to the web pages, not to the folder of the installation.
    private static let webPages = ["index.php", "apps", "remote.php", "dav.php", "login"]

    static func read(_ text: String) throws(CalDAVError) -> URL {
        let trimmed = String(text.trimmed)
        guard let url = URL(self.complete(trimmed)) else { throw self.refusal(of: trimmed) }
        return url
    }

    /// The addresses to try, the likeliest first, each once (RFC 6764 §6).
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

    /// `/cloud/index.php/apps/tasks/` lies in `/cloud/`.
    private static func installation(of path: String) -> String {
        let segments = path.split(separator: "/").prefix { !self.webPages.contains(String($0)) }
        return segments.isEmpty ? "/" : "/" + segments.joined(separator: "/") + "/"
    }

    private static func complete(_ text: String) -> String {
        for (scheme, meaning) in self.schemes where text.lowercased().hasPrefix(scheme) {
            return meaning + text.dropFirst(scheme.count)
        }
        guard !text.contains("://") else { return text }
        let end = text.firstIndex(of: "/") ?? text.endIndex
        // somebody@example.org names a server, too (RFC 6764 §6).
        let isMail = end == text.endIndex && text.count { $0 == "@" } == 1 && !text.contains(":")
        let place = isMail ? text[text.index(after: text.lastIndex(of: "@") ?? text.startIndex)...] : text[...]
        return (URL("http://\(place)")?.isLoopback == true ? "http://" : "https://") + place
    }

    private static func refusal(of text: String) -> CalDAVError {
        let hasUser = text.contains("@")
        // The text is not repeated: a password may stand in it.
        return CalDAVError(.badAddress, message: hasUser ? "leave the name and the password out of it" : nil)
    }
}
