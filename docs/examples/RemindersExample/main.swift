// Makes a reminder in a store in memory, completes it, and shows the text that every other program reads; then the same
// by the use cases, with somebody who is told what to ring. Run it with `swift run RemindersExample`.

import Bridge
import ICalendar
import Recurrence
import Reminders
import SQLiteStore
import Store

/// The clock and the zones come from whoever embeds the library; these stand still, so that the example does too.
let context = EditingContext(now: Instant(secondsSince1970: 1_795_000_000), timeZoneLines: { _ in nil })
let zones = TimeZoneResolver(database: ZoneDatabase { _ in nil }, calendar: nil, local: "UTC")

var draft = ReminderDraft(title: "Water the plants")
draft.due = CalendarDateOrDateTime(wire: "20261201T180000Z", tzid: nil)
draft.recurrenceRule = try RecurrenceRule(wire: "FREQ=WEEKLY")
draft.labels = ["Home", "Garden, front"]

/// `nil` only for a UID that is empty.
guard let reminder = Reminder(draft, uid: "b7a1", in: context) else { throw ExampleError() }
struct ExampleError: Error {}

let store = try ReminderStore.inMemory()
let list = try store.write { try $0.insertList(named: "Home", at: context.now.secondsSince1970) }
let id = try store.write {
    try $0.insert(
        into: list,
        uid: reminder.uid,
        source: reminder.object.document.bytes,
        index: ObjectIndex(reminder, zones: zones)
    )
}

let completion = try reminder.completing(in: context, zones: zones)
try store.write {
    try $0.update(
        id,
        source: completion.reminder.object.document.bytes,
        index: ObjectIndex(completion.reminder, zones: zones)
    )
}

for object in try store.read({ try $0.objects(in: list) }) {
    print("\(object.id): \(object.index.title), \(object.index.labels.joined(separator: " and "))")
    print(String(decoding: object.source, as: UTF8.self))
}

/// Whatever shows alarms: a notification, a light, a line.
struct ConsoleSink: AlarmSink {
    func schedule(_ alarm: ReminderAlarm) { print("rings at \(alarm.fires): \(alarm.title)") }
    func cancel(_ id: AlarmID) { print("does not ring: \(id)") }
    func cancelAll() { print("nothing rings") }
}

let configuration = Configuration(localZone: "UTC", zones: ZoneDatabase { _ in nil }, storeFolder: "") { context.now }
let useCases = UseCases(configuration: configuration, store: store)
let keeper = AlarmKeeper(useCases, sink: ConsoleSink()) { failure in print(failure) }
let teaTime = CalendarDateTime(utc: context.now.adding(seconds: 300))
let tea = try keeper.add(ReminderDraft(title: "Make tea", due: .dateTime(teaTime), list: "Home"))
_ = try keeper.edit(tea.id, ReminderChange(title: "Make green tea"))
_ = try keeper.snooze(tea.id, seconds: 600)
do {
    _ = try keeper.edit(tea.id, ReminderChange(due: .set(.dateTime(CalendarDateTime(utc: context.now)))))
} catch let error as UseCaseError {
    print("refused: \(error)")
}
_ = try keeper.complete(tea.id)
// A person turns alarms off.
keeper.cancelAll()
for reminder in try useCases.reminders(matching: ReminderFilter(includesCompleted: true)) {
    print("\(reminder.section): \(reminder.title)")
}
