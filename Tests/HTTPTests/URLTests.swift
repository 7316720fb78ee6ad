import Testing

@testable import RemindavHTTP

@Suite("URLs (RFC 3986)")
struct URLTests {
    @Test(
        "an absolute URL is kept as it is, except characters that are not allowed in one",
        arguments: [
            ("https://example.org", "https://example.org/"),
            ("HTTPS://Example.ORG:8443/a/B?c=d", "https://example.org:8443/a/B?c=d"),
            ("http://127.0.0.1:5232/user/", "http://127.0.0.1:5232/user/"),
            ("http://[::1]:80/", "http://[::1]:80/"),
            ("https://h/a b%zz%41ü", "https://h/a%20b%25zz%41%C3%BC"),
            ("https://h/a#fragment", "https://h/a"),
            ("https://h/a/./b/../c/", "https://h/a/c/"),
            ("https://h/../../x", "https://h/x"),
            ("https://h/a/%2e%2E/%2e%2e/b", "https://h/b"),
            ("https://h?x", "https://h/?x"),
            ("https://h:/x", "https://h/x"),
        ]
    )
    func parse(text: String, expected: String) {
        #expect(URL(text)?.text == expected)
    }

    @Test(
        "a text that is no URL, or hides a part, is refused",
        arguments: [
            "", "example.org", "ftp://h/", "file:///etc/passwd", "https://", "https:///x", "https://user@h/",
            "https://user:pw@h/", "https://h:0/", "https://h:65536/", "https://h:8x/", "https://h h/",
            "https://h/\u{07}",
            "https://h/\r\nX: y", "https://[::1/", "https://::1/", "https://h%2fx/", "https://h\\x/",
            "https://h/" + String(repeating: "a", count: 9000),
        ]
    )
    func refuse(_ text: String) {
        #expect(URL(text) == nil)
    }

    // RFC 3986 §5.4, as far as a client of hrefs needs it.
    @Test(
        "references resolve as in the examples of the RFC",
        arguments: [
            ("g", "https://a/b/c/g"), ("./g", "https://a/b/c/g"), ("g/", "https://a/b/c/g/"), ("/g", "https://a/g"),
            ("//g", "https://g/"), ("?y", "https://a/b/c/d?y"), ("g?y", "https://a/b/c/g?y"),
            ("g#s", "https://a/b/c/g"), ("", "https://a/b/c/d?q"), (".", "https://a/b/c/"), ("./", "https://a/b/c/"),
            ("..", "https://a/b/"), ("../", "https://a/b/"), ("../g", "https://a/b/g"), ("../..", "https://a/"),
            ("../../../g", "https://a/g"), ("/./g", "https://a/g"), ("/../g", "https://a/g"),
            ("g.", "https://a/b/c/g."),
            ("..g", "https://a/b/c/..g"), ("./g/.", "https://a/b/c/g/"), ("g/../h", "https://a/b/c/h"),
            ("http://x/y", "http://x/y"), (" \n /g \n", "https://a/g"),
            // Xandikos: a colon does not make a scheme.
            ("a:b.ics", "https://a/b/c/a:b.ics"), ("file:///etc/passwd", "https://a/b/c/file:///etc/passwd"),
            // SOGo: nothing is encoded.
            ("/l/a b.ics", "https://a/l/a%20b.ics"), ("/l/a%b.ics", "https://a/l/a%25b.ics"),
        ]
    )
    func resolve(reference: String, expected: String) throws {
        let base = try #require(URL("https://a/b/c/d?q"))
        #expect(base.resolving(reference)?.text == expected)
    }

    @Test("a reference that is no URL is nil", arguments: ["//user:pw@g/", "https://user@g/x", "/a\u{0}b", "//"])
    func unresolved(_ reference: String) throws {
        #expect(try #require(URL("https://a/b")).resolving(reference) == nil)
    }

    @Test(
        "all spellings of a path have one key",
        arguments: [
            ["/a%40b", "/a@b", "/%61@b", "/%61%40%62"], ["/%C3%BC+", "/%c3%bc%2B", "/ü+", "/%c3%bc%2b"],
            ["/a%20b.ics", "/a b.ics"], ["/%28a%29", "/(a)"],
        ]
    )
    func keys(_ paths: [String]) throws {
        let base = try #require(URL("https://h/"))
        #expect(Set(paths.compactMap { base.resolving($0)?.pathKey }).count == 1)
    }

    @Test("an encoded slash is not a slash, and a final slash counts")
    func slashes() throws {
        #expect(URL("https://h/a%2Fb")?.pathKey != URL("https://h/a/b")?.pathKey)
        #expect(URL("https://h/a/")?.pathKey != URL("https://h/a")?.pathKey)
    }

    @Test("an origin is scheme, host and port, whether the port is written or not")
    func origins() {
        #expect(URL("https://h:443/a")?.origin == URL("https://H/b")?.origin)
        #expect(URL("https://h/")?.origin != URL("http://h/")?.origin)
        #expect(URL("https://h/")?.origin != URL("https://h:8443/")?.origin)
        #expect(URL("https://h/")?.origin != URL("https://sub.h/")?.origin)
        #expect(URL("http://h:8080/")?.origin.description == "http://h:8080")
        #expect(URL("https://h:443/")?.origin.description == "https://h")
    }

    @Test("this machine is known by its names")
    func loopback() {
        for host in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "x.localhost"] {
            #expect(URL("http://\(host)/")?.isLoopback == true)
        }
        for host in ["127.0.0.1.example.org", "localhost.example.org", "10.0.0.1", "127.0.0.999", "example.org"] {
            #expect(URL("http://\(host)/")?.isLoopback == false)
        }
    }

    @Test("members and parents")
    func hierarchy() throws {
        let url = try #require(URL("https://h/a/b"))
        #expect(url.appending(segment: "c d/é").text == "https://h/a/b/c%20d%2F%C3%A9")
        #expect(url.asFolder.text == "https://h/a/b/")
        #expect(url.parent?.text == "https://h/a/" && url.asFolder.parent?.text == "https://h/a/")
        #expect(URL("https://h/")?.parent == nil)
    }
}

@Suite("Header fields and media types (RFC 9110)")
struct HeaderTests {
    @Test("names compare without case and keep their spelling")
    func names() {
        var headers: Headers = ["Etag": "\"1\"", .contentType: "text/plain"]
        #expect(headers[.etag] == "\"1\"")
        #expect(headers.fields.first?.name.wire == "Etag")
        headers.append("DAV", "1")
        headers.append("dav", "2")
        #expect(headers.values(of: "DAV") == ["1", "2"])
        headers["Dav"] = "3"
        #expect(headers.values(of: "DAV") == ["3"])
        headers[.etag] = nil
        #expect(headers.map(\.name) == [.contentType, "DAV"])
    }

    @Test("a printed URL has no credentials")
    func hidden() {
        let headers: Headers = [.authorization: "Basic canary", .cookie: "canary", .setCookie: "canary", .host: "h"]
        #expect(!headers.description.contains("canary") && headers.description.contains("Host: h"))
    }

    @Test(
        "media types are read as they are written",
        arguments: [
            ("text/calendar; charset=utf-8; component=vtodo", "text/calendar"), ("TEXT/HTML", "text/html"),
            ("application/xml;charset=\"utf-8\"", "application/xml"), (" text / plain ", "text/plain"),
        ]
    )
    func mediaTypes(text: String, essence: String) {
        #expect(MediaType(text)?.essence == essence)
    }

    @Test("parameters lose their quotes; invalid ones are nil")
    func parameters() {
        #expect(MediaType("a/b; Charset=\"x y\"; bad; =")?.parameters == ["charset": "x y"])
        for text in ["", "text", "/", "a/", ";charset=x"] { #expect(MediaType(text) == nil) }
    }

    @Test("every transport error has its own sentence")
    func errors() {
        let words = TransportError.Code.allCases.map { TransportError($0, host: "h").description }
        #expect(Set(words).count == words.count && words.allSatisfy { $0.hasPrefix("h: ") })
    }
}
