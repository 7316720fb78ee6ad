// Random lives of reminders on clocks that are set, in zones that change, with a program that is killed and a screen that
// fails: each alarm is told once, never early, and never for what is over.
//
//   AlarmModel                                    20 years in each of 40 zones, 25 reminders
//   AlarmModel --big                              with 2,000
//   AlarmModel --reminders R --years Y --seed S   other numbers, other lives
//   AlarmModel --histories N                      as many, in the forty zones by turns
//   AlarmModel --replay S:INDEX [--reminders N] [--watch NUMBER]   one of them, step by step, with what is known of one
//   AlarmModel --until-broken                     stops at the first that breaks
//
// docs/alarm-model.md says what is in a history, and what must hold.

import Glibc
import Notifications

func value(_ name: String) -> String? {
    CommandLine.arguments.firstIndex(of: name).flatMap { place in
        place + 1 < CommandLine.arguments.count ? CommandLine.arguments[place + 1] : nil
    }
}

let plan = Plan(
    seed: value("--seed").flatMap { UInt64($0) } ?? 1,
    reminders: value("--reminders").flatMap { Int($0) } ?? (CommandLine.arguments.contains("--big") ? 2000 : 25),
    years: value("--years").flatMap { Int($0) } ?? 20,
    histories: value("--histories").flatMap { Int($0) } ?? 40,
    stopsAtFirst: CommandLine.arguments.contains("--until-broken")
)
if let place = value("--replay")?.split(separator: ":"), place.count == 2, let seed = UInt64(place[0]),
    let index = Int(place[1])
{
    exit(plan.replay(seed, index, watched: value("--watch").flatMap { Int64($0) }.map { ReminderID($0) }) ? 0 : 1)
}
exit(plan.run() ? 0 : 1)
