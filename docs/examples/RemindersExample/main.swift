// Adds a reminder to a store in memory, completes it, and prints its iCalendar text. Then it does the same with the use
// cases, and prints the notifications. Run it with `swift run RemindersExample`.

import RemindavBridge
import RemindavDaemon
import RemindavICalendar
import RemindavNotifications
import RemindavRecurrence
import RemindavReminders
import RemindavSQLiteStore
import RemindavStore
import Synchronization

/// A program passes its own clock and zones to the library; here the clock stands still, and there are no named zones.
let context = EditingContext(now: Instant(secondsSince1970: 1_795_000_000), timeZoneLines: { _ in nil })
let zones = TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: nil, local: "UTC")

var draft = ReminderDraft(title: "Water the plants")
draft.due = CalendarDateOrDateTime(wire: "20261201T180000Z", tzid: nil)
draft.recurrenceRule = try RecurrenceRule(wire: "FREQ=WEEKLY")
draft.labels = ["Home", "Garden, front"]

/// The reminder; `nil` only if the UID is empty.
guard let reminder = Reminder(draft, uid: "b7a1", in: context) else { throw ExampleError() }
struct ExampleError: Error {}

let store = try ReminderStore.inMemory()
let list = try store.write { try $0.insertList(named: "Home", at: context.now.secondsSince1970) }
let id = try store.write {
    try $0.insert(into: list, uid: reminder.uid, StoredObject(reminder.object, zones: zones))
}

let completion = try reminder.completing(in: context, zones: zones)
try store.write { try $0.update(id, StoredObject(completion.reminder.object, zones: zones)) }

for object in try store.read({ try $0.objects(in: list) }) {
    print("\(object.id): \(object.index.title), \(object.index.labels.joined(separator: " and "))")
    print(String(decoding: object.source, as: UTF8.self))
}

/// Shows notifications as lines.
final class Printer: NotificationPresenter {
    private let lastNumber = Mutex<UInt32>(0)

    func show(
        _ notification: Notification,
        then report: @escaping @Sendable (Result<NotificationID, any Error>) -> Void
    ) {
        let number = self.lastNumber.withLock { number in
            number += 1
            return number
        }
        print("notification \(number): \(notification.text.title)")
        report(.success(NotificationID(number: number, service: "example")))
    }

    func close(_ notification: NotificationID, then report: @escaping @Sendable () -> Void) {
        print("notification \(notification.number) closes")
        report()
    }
}

/// The clock of this example, which is set by hand.
let clock = Mutex(context.now)
let configuration = Configuration(localZone: "UTC", zones: ZoneDatabase { _ in nil }, storeFolder: "") {
    clock.withLock { $0 }
}
let useCases = UseCases(configuration: configuration, store: store)
let alarms = try AlarmPresentation(useCases, presenter: Printer(), instance: "example")
try alarms.update()
let tea = try useCases.add(
    ReminderDraft(
        title: "Make tea",
        due: .dateTime(CalendarDateTime(utc: context.now.adding(seconds: 300))),
        list: "Home"
    )
)
_ = try useCases.edit(tea.id, ReminderChange(title: "Make green tea"))
if let next = try alarms.update() {
    print("the next alarm fires at \(next)")
    clock.withLock { $0 = next }
}
try alarms.update()
do {
    _ = try useCases.edit(tea.id, ReminderChange(due: .set(.dateTime(CalendarDateTime(utc: context.now)))))
} catch let error as UseCaseError {
    print("refused: \(error)")
}
// The notification closes, because the reminder is completed.
_ = try useCases.complete(tea.id)
try alarms.update()
for reminder in try useCases.reminders(matching: ReminderFilter(includesCompleted: true)) {
    print("\(reminder.section): \(reminder.title)")
}
