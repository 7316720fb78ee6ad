import RemindavCalDAV
import Testing

@testable import RemindavBridge

@Suite("a back-off that a server requests")
struct ServerRestTests {
    @Test("without a request of the server nothing is stored")
    func rest() {
        #expect(ServerRest.seconds([CalDAVError(.busy, status: 503), CalDAVError(.notFound)]) == nil)
        #expect(ServerRest.seconds([]) == nil)
    }

    @Test("a back-off ends, and one that is too long was written by a wrong clock")
    func end() {
        #expect(ServerRest.lasts(until: 100, at: 99))
        #expect(!ServerRest.lasts(until: 100, at: 100))
        #expect(ServerRest.lasts(until: 3700, at: 100))
        #expect(!ServerRest.lasts(until: 3701, at: 100))
    }

    @Test(
        "internal details of the server are left out",
        arguments: [
            (
                "Validation error in iCalendar: DUE must occur after DTSTART.",
                "Validation error in iCalendar: DUE must occur after DTSTART"
            ),
            ("An exception occurred: SQLSTATE[HY000]: General error: 5 database is locked", nil),
            ("Traceback (most recent call last):", nil),
            ("in /var/www/html/lib/base.php on line 12", nil),
        ] as [(String, String?)]
    )
    func internalDetails(said: String, shown: String?) { #expect(ServerText.cleaned(said) == shown) }
}
