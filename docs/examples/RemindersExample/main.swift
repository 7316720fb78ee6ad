// A reminders app for the terminal:
//
//     PASSWORD=… RemindersExample connect https://cloud.example.org ada
//     RemindersExample add "Water the plants" 2026-12-01T18:00:00Z
//     RemindersExample list | done 1 | sync | run

import Foundation
import RemindavFoundation
import RemindavKit

/// Shows alarms as lines.
struct Printer: AlarmPresenter {
    func show(_ alarm: Alarm) async throws { print("\u{7}\(alarm.title)", alarm.body, separator: "\n") }
    func remove(_ alarm: Alarm.ID) async {}
}

let arguments = CommandLine.arguments.dropFirst()
let environment = ProcessInfo.processInfo.environment
let folder = environment["REMINDERS_FOLDER"] ?? NSHomeDirectory() + "/.reminders-example"

do {
    let remindav = try Remindav(.system(storeFolder: folder))
    switch (arguments.first, Array(arguments.dropFirst())) {
    case ("connect", let words) where words.count == 2:
        let password = PasswordSource.password(environment["PASSWORD"] ?? "")
        let account = try await remindav.addAccount(at: words[0], user: words[1], password: password)
        if account.lists.isEmpty { try await remindav.addList(named: "Reminders", account: account.name) }
        print("Connected \(account.name)")
    case ("add", let words) where !words.isEmpty:
        let due = words.count > 1 ? try Date(words[1], strategy: .iso8601) : nil
        let draft = ReminderDraft(title: words[0], due: due.map { .dateTime(CalendarDateTime($0, in: .current)) })
        print("Added \(try await remindav.add(draft).id)")
    case ("list", _):
        for reminder in try await remindav.reminders() {
            let time = reminder.allDay ? nil : reminder.dueInstant.map { Date($0).formatted() }
            let due = time ?? reminder.dueDay?.description ?? ""
            print(reminder.id, reminder.title, due, reminder.labels.joined(separator: " "), separator: "\t")
        }
    case ("done", let words):
        for id in words.compactMap(Int64.init) { try await remindav.complete(id) }
    case ("sync", _):
        let result = try await remindav.sync()
        for list in result.lists { print("\(list.name): received \(list.received), sent \(list.sent)") }
        let errors = result.lists.compactMap(\.error) + result.failedAccounts.values
        for error in errors { print(error) }
        exit(errors.isEmpty ? 0 : 1)
    case ("run", _):
        print("Showing alarms until Ctrl-C")
        try await remindav.deliverAlarms(to: Printer())
    default:
        print("connect ADDRESS USER | add TITLE [DATE] | list | done ID... | sync | run")
    }
} catch let error as RemindavError where error.code == .authRejected {
    print("The server refuses the user or the password.")
    exit(1)
} catch {
    print(error)
    exit(1)
}
