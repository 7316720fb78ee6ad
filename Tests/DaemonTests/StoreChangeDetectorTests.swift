import RemindavICalendar
import Testing

@testable import RemindavDaemon

@Suite("the start of the period with possible changes of the store")
struct StoreChangeDetectorTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: seconds) }

    @Test("a write wakes a sleeping daemon at once; a busy one finds the writes since its wake-up")
    func since() {
        var look = StoreChangeDetector()
        look.sleeps(at: self.at(1000))
        look.wakes(at: self.at(5000))
        #expect(look.since == nil)
        look.needsScan = true
        #expect(look.since == self.at(4998))
        // The daemon sleeps; events in the meantime have no effect.
        look.sleeps(at: self.at(5000))
        look.wakes(at: self.at(5030))
        look.needsScan = true
        #expect(look.since == self.at(4998))
    }

    @Test("after a minute of work it finds a write of that minute as soon as it waits")
    func busy() {
        var look = StoreChangeDetector()
        look.sleeps(at: self.at(1000))
        look.wakes(at: self.at(5000))
        look.sleeps(at: self.at(5060))
        look.wakes(at: self.at(5060))
        look.needsScan = true
        #expect(look.since == self.at(5000))
    }

    @Test("on a clock that is set back no time is in the future")
    func putBack() {
        var look = StoreChangeDetector()
        look.sleeps(at: self.at(5000))
        look.wakes(at: self.at(5000))
        look.sleeps(at: self.at(5001))
        look.wakes(at: self.at(1000))
        look.needsScan = true
        #expect(look.since == self.at(998))
    }
}
