import ICalendar
import Testing

@testable import Daemon

@Suite("from when on the store may hold something new")
struct StoreChangeDetectorTests {
    private func at(_ seconds: Int64) -> Instant { Instant(secondsSince1970: seconds) }

    @Test("who sleeps is woken by a write at once; who was busy finds what was written since it woke up")
    func since() {
        var look = StoreChangeDetector()
        look.sleeps(at: self.at(1000))
        look.wakes(at: self.at(5000))
        #expect(look.since == nil)
        look.needsScan = true
        #expect(look.since == self.at(4998))
        // It rests; what comes meanwhile changes nothing.
        look.sleeps(at: self.at(5000))
        look.wakes(at: self.at(5030))
        look.needsScan = true
        #expect(look.since == self.at(4998))
    }

    @Test("busy for a minute, it finds a write of that minute as soon as it waits")
    func busy() {
        var look = StoreChangeDetector()
        look.sleeps(at: self.at(1000))
        look.wakes(at: self.at(5000))
        look.sleeps(at: self.at(5060))
        look.wakes(at: self.at(5060))
        look.needsScan = true
        #expect(look.since == self.at(5000))
    }

    @Test("on a clock that is put back nothing is of the future")
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
