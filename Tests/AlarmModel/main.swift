// Random histories of reminders: clocks are set, zones change, the program is killed and the screen fails. Each alarm is
// delivered once, never early, and never for a reminder that is over.
//
//   AlarmModel                                    20 years in each of 40 zones, 25 reminders
//   AlarmModel --big                              with 2,000
//   AlarmModel --reminders R --years Y --seed S   other numbers and other random histories
//   AlarmModel --histories N                      N histories, in the forty zones by turns
//   AlarmModel --replay S:INDEX [--reminders N] [--watch NUMBER]   one history, step by step, with the state of a reminder
//   AlarmModel --until-broken                     stops at the first broken rule
//
// docs/alarm-model.md describes the histories and the rules.

import Glibc
import RemindavNotifications

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
