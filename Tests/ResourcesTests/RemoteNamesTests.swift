import RemindavResources
import Testing

@Suite
struct RemoteNamesTests {
    @Test("names are compared by octets, not by canonical equivalence")
    func octets() {
        #expect(Href("/l/caf\u{E9}.ics") != Href("/l/cafe\u{301}.ics"))
        #expect(EntityTag("caf\u{E9}") != EntityTag("cafe\u{301}"))
        #expect(SyncToken("caf\u{E9}") != SyncToken("cafe\u{301}"))
        #expect(Href("/l/a%40b.ics") != Href("/l/a@b.ics"))
    }

    @Test("a weak tag equals a strong tag only by the weak comparison")
    func weakTags() {
        #expect(EntityTag("W/\"1\"").isWeak && !EntityTag("\"1\"").isWeak)
        #expect(EntityTag("W/\"1\"") != EntityTag("\"1\""))
        #expect(EntityTag("W/\"1\"").weaklyEquals("\"1\"") && !EntityTag("\"1\"").weaklyEquals("\"2\""))
    }

    @Test(
        "the last segment of an address",
        arguments: [("/home/list/a.ics", "a.ics"), ("/home/list/", "list"), ("a.ics", "a.ics"), ("/", "/")]
    )
    func lastSegment(_ wire: String, _ expected: String) {
        #expect(Href(wire).lastSegment == expected[...])
    }

    @Test("the parts of a fetch are appended, and their errors replaced")
    func fetchResults() {
        struct Failed: Error, Equatable { let number: Int }
        var result = FetchResult<Failed>(missing: ["/a"], failures: [("/b", Failed(number: 1))])
        result += FetchResult(texts: [ResourceText(href: "/c", etag: "1", text: [65])], missing: ["/d"])
        #expect(result.missing == ["/a", "/d"] && result.texts.map(\.version.href) == ["/c"])
        #expect(result.mapFailures { Failed(number: $0.number + 1) }.failures.map(\.error.number) == [2])
    }
}
