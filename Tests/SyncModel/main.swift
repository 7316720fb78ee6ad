// Random histories of two of our machines, a server and other programs. Three conditions hold for each history: no written
// value is lost, no item is there twice, and all sides come to rest.
//
//   SyncModel                       20,000 histories
//   SyncModel --count N --seed S    that many, from another seed
//   SyncModel --replay S:INDEX      one of them step by step, and its smallest part that fails
//   SyncModel --workers             the same with workers of a host, which are frozen while others take over
//   SyncModel --faults              scenarios with every fault at every request, and a kill at every request and write
//   SyncModel --faults --only "many items" --many 2000    one scenario, and its number of items (120 otherwise)
//   SyncModel --guard               events that look like many deletions
//
// docs/sync-model.md describes the histories and the conditions.

import Glibc

func value(_ name: String) -> String? {
    CommandLine.arguments.firstIndex(of: name).flatMap { place in
        place + 1 < CommandLine.arguments.count ? CommandLine.arguments[place + 1] : nil
    }
}

let folder = try Scratch()

func leave(_ holds: Bool) -> Never {
    folder.remove()
    exit(holds ? 0 : 1)
}

let hasWorkers = CommandLine.arguments.contains("--workers")

if let place = value("--replay")?.split(separator: ":"), place.count == 2, let seed = UInt64(place[0]),
    let index = Int(place[1])
{
    leave(replay(History(seed: seed, index: index, hasWorkers: hasWorkers), in: "\(folder.path)/0"))
}
if CommandLine.arguments.contains("--faults") { leave(disturb(in: folder.path)) }
if CommandLine.arguments.contains("--guard") { leave(guardCases(in: folder.path)) }
let count = value("--count").flatMap { Int($0) } ?? 20_000
let seed = value("--seed").flatMap { UInt64($0) } ?? 1
let holds = explore(
    count,
    from: seed,
    first: value("--first").flatMap { Int($0) } ?? 0,
    hasWorkers: hasWorkers,
    stopsAtFirst: CommandLine.arguments.contains("--until-broken"),
    in: folder.path
)
leave(holds)
