// Claims and finishes the due accounts of a host as fast as possible, without syncing them.
//
//   HostBenchmark PLACE SECONDS SERVERS     PLACE is the connection string of the role remindav_worker
//
// Prints one line: the accounts per second, the median milliseconds of a claim, and the number of accounts.

import Glibc
import RemindavHosting
import RemindavPostgresStore
import RemindavStore

let arguments = CommandLine.arguments
guard arguments.count == 4, let seconds = Double(arguments[2]), let places = Int(arguments[3]) else {
    print("HostBenchmark PLACE SECONDS SERVERS")
    exit(2)
}
let works = WorkDirectory(PostgresPool(to: DatabasePlace(arguments[1]), size: 1))
let start = ContinuousClock.now
var claims: [Double] = []
var accounts = 0
var mark: Int64?
var lastFullSearch = start
while start.duration(to: .now) < .seconds(seconds) {
    let before = ContinuousClock.now
    if lastFullSearch.duration(to: before) > .seconds(LeaseTerms.fullSearchSeconds) {
        lastFullSearch = before
        mark = nil
    }
    let found = try works.claim(places, after: mark)
    claims.append(before.duration(to: .now) / .milliseconds(1))
    mark = found.mark ?? mark
    guard !found.servers.isEmpty else { break }
    while true {
        let due = try works.due(found.servers.map { ($0.id, $0.connections) })
        guard !due.isEmpty else { break }
        let runs = try works.begin(due)
        try works.end(runs.map { ($0, NextRun(seconds: HostSchedule.standardSeconds, succeeded: true)) })
        accounts += runs.count
    }
    try works.release(found.servers)
}
let elapsed = start.duration(to: .now) / .seconds(1)
print(Int(Double(accounts) / elapsed), claims.sorted()[claims.count / 2], accounts)
