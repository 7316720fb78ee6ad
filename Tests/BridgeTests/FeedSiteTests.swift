import Testing

@testable import RemindavBridge

@Suite("the address of a web server in front of 'serve'")
struct FeedSiteTests {
    @Test(
        "an address is split into host and path; missing parts get defaults",
        arguments: [
            ("https://cal.example.org", "https://cal.example.org", "cal.example.org", ""),
            ("https://cal.example.org/", "https://cal.example.org", "cal.example.org", ""),
            ("cal.example.org", "https://cal.example.org", "cal.example.org", ""),
            ("HTTPS://Cal.Example.org:443/", "https://cal.example.org", "cal.example.org", ""),
            ("https://example.org:8443/reminders", "https://example.org:8443/reminders", "example.org", "/reminders"),
            ("example.org/a/b//", "https://example.org/a/b", "example.org", "/a/b"),
            ("https://[2001:db8::1]:8443/x", "https://[2001:db8::1]:8443/x", "[2001:db8::1]", "/x"),
        ]
    )
    func parts(_ test: (text: String, shown: String, host: String, prefix: String)) throws {
        let site = try #require(FeedSite(test.text))
        #expect(site.text == test.shown && site.host == test.host && site.prefix == test.prefix)
        #expect(site.address("/feed/x.ics") == test.shown + "/feed/x.ics")
    }

    @Test(
        "an invalid address is refused",
        arguments: [
            "", " ", "http://cal.example.org", "ftp://cal.example.org", "webcal://cal.example.org", "https://",
            "https://a@b.example", "https://cal.example.org/?x", "https://cal.example.org/#x",
            "https://cal.example.org/a b",
            "https://cal.example.org/a%20b", "https://cal.example.org/a//b", "https://c\u{E4}l.example", "a b.example",
            "https://cal.example.org\r\nX: y", "https://cal.example.org:99999", "https://*",
        ]
    )
    func refused(text: String) {
        #expect(FeedSite(text) == nil)
    }
}
