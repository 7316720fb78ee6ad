import RemindavICalendar
import RemindavTestSupport
import Testing

@testable import RemindavNotifications

@Suite("the next alarm of all reminders")
struct NextAlarmsTests {
    @Test("it is the earliest alarm after any additions, changes and removals")
    func law() {
        var random = SeededGenerator(1)
        for _ in 0..<50 {
            var next = NextAlarms()
            var model: [ReminderID: Int64?] = [:]
            for _ in 0..<500 {
                let name = ReminderID(Int64(random.next() % 20))
                switch random.next() % 4 {
                case 0, 1:
                    let time = random.chance(5) ? nil : Int64(random.next() % 50)
                    next.set(
                        name,
                        time.map(Instant.init),
                        after: Instant(secondsSince1970: 0),
                        dependsOnLocalZone: false
                    )
                    model.updateValue(time, forKey: name)
                case 2:
                    next.remove(name)
                    model.removeValue(forKey: name)
                default:
                    let now = Int64(random.next() % 50)
                    let taken = next.removeFirst(upTo: Instant(secondsSince1970: now))?.reminder
                    let first = model.values.compactMap { $0 }.min()
                    #expect((taken != nil) == (first.map { $0 <= now } ?? false))
                    if let taken {
                        #expect(model[taken] == .some(first))
                        model.updateValue(nil, forKey: taken)
                    }
                }
                #expect(next.first()?.secondsSince1970 == model.values.compactMap { $0 }.min())
                #expect(Set(next.reminders) == Set(model.keys))
            }
        }
    }
}
