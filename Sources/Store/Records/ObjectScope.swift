package import RemindavReminders

/// The objects that a listing reads, selected by index columns.
package struct ObjectScope: Hashable, Sendable {
    package enum Due: Hashable, Sendable {
        case absent
        /// The due time is at or after `from` and before `before`, in seconds since 1970; `nil` means no limit.
        ///
        /// Objects up to two days outside the range may be read, too, because the columns of a date and of a floating
        /// time contain local time, and the offset of a time zone is smaller than a day.
        case within(from: Int64?, before: Int64?)
    }

    /// The lists; `nil` for all lists.
    package var lists: Set<ListID>?
    package var statuses: [Status]
    /// The priorities; empty for every priority.
    package var priorities: Set<Priority> = []
    /// Conditions on the due time that must all be true.
    package var dues: [Due] = []
    /// Whether the objects must have a start.
    package var haveStart = false

    package init(lists: Set<ListID>? = nil, statuses: [Status] = Status.allCases) {
        self.lists = lists
        self.statuses = statuses
    }

    /// The condition of a statement on `calendar_object`, and the values of its parameters from `?1` on.
    var condition: (sql: String, values: [SQLValue]) {
        var values: [SQLValue] = []
        func parameter(_ value: SQLValue) -> String {
            values.append(value)
            return "?\(values.count)"
        }
        var terms = ["status IN (\(self.statuses.map { String($0.stored) }.joined(separator: ", ")))"]
        if self.statuses.isEmpty { terms = ["1 = 0"] }
        if let lists {
            let numbers = lists.sorted().map { parameter(.id($0)) }
            terms.append(numbers.isEmpty ? "1 = 0" : "list IN (\(numbers.joined(separator: ", ")))")
        }
        if !self.priorities.isEmpty {
            terms.append(
                "priority IN (\(self.priorities.map(\.stored).sorted().map(String.init).joined(separator: ", ")))"
            )
        }
        if self.haveStart { terms.append("start_kind IS NOT NULL") }
        for due in self.dues {
            switch due {
            case .absent: terms.append("due_kind IS NULL")
            case .within(let from, let before):
                terms.append("due_kind IS NOT NULL")
                let seconds = "CASE due_kind WHEN 0 THEN due * 86400 ELSE due END"
                if let from { terms.append("\(seconds) >= \(parameter(.integer(from - Self.slack)))") }
                if let before { terms.append("\(seconds) < \(parameter(.integer(before + Self.slack)))") }
            }
        }
        return (terms.joined(separator: " AND "), values)
    }

    /// Two days in seconds.
    private static let slack: Int64 = 2 * 86400
}
