import RemindavBridge
import RemindavReminders
import RemindavStore
import Synchronization

/// The reminders that a page of the list shows.
struct ListContent: Sendable {
    let sections: [ListScreen.Shown]
    /// The labels of the open reminders for the filter, by letters.
    let labels: [(key: LabelKey, name: String)]
    let hasOpen: Bool
    /// The number of reminders that start later and are not shown.
    let hiddenCount: Int

    var rowCount: Int { self.sections.reduce(0) { $0 + $1.groups.reduce(0) { $0 + $1.reminders.count } } }
}

/// Keeps the contents of the last lists, because most requests ask for a list that has not changed.
final class ListCache: Sendable {
    /// The state of the store, and the minute in which reminders are overdue or today.
    struct Moment: Hashable {
        let version: ContentVersion
        /// The number of minutes since 1970, rounded down.
        ///
        /// Most due times are whole minutes.
        let minute: Int64
    }

    private struct State {
        var moment: Moment?
        var contents: [String: ListContent] = [:]
    }

    /// The number of contents; few people use more filters at a time.
    private static let maximumCount = 8
    /// The number of reminders of a content that is kept, so that all contents together need few megabytes.
    private static let maximumRows = 1000
    private let state = Mutex(State())

    /// The content with a name, which `read` reads once for each moment; simultaneous requests wait for it.
    func content(_ name: String, at moment: Moment, _ read: () throws -> ListContent) rethrows -> ListContent {
        try self.state.withLock { state in
            if state.moment != moment || state.contents.count >= Self.maximumCount {
                state = State(moment: moment)
            }
            if let content = state.contents[name] { return content }
            let content = try read()
            if content.rowCount <= Self.maximumRows { state.contents[name] = content }
            return content
        }
    }
}
