// Prints the task lists of a CalDAV account with their numbers of reminders:
//
//     CALDAV_URL=https://cloud.example.org CALDAV_USER=anna CALDAV_PASSWORD=… swift run CalDAVExample

import Glibc
import RemindavCalDAV
import RemindavCurlTransport
import RemindavHTTP
import RemindavResources

func environment(_ name: String) -> String {
    unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
}

let client = try CalDAVClient(
    address: environment("CALDAV_URL"),
    credentials: Credentials(
        user: environment("CALDAV_USER"),
        password: Secret(environment("CALDAV_PASSWORD"))
    ),
    // One session per account: it keeps connections and cookies.
    transport: CurlSession(userAgent: "CalDAVExample")
)

do {
    let account = try await client.discover()
    for list in account.lists where list.supports("VTODO") {
        // Without a token, every member is a change.
        let changes = try await client.changes(in: list, since: nil)
        let fetched = try await client.fetch(changes.changed.map(\.href), in: list)
        let reminders = fetched.texts.filter { String(decoding: $0.text, as: UTF8.self).contains("BEGIN:VTODO") }
        print("\(list.displayName ?? list.url.path): \(reminders.count) reminders, \(list.url)")
    }
    print("\(await client.requestCount) requests")
} catch {
    print(error)
    exit(1)
}
