import RemindavICalendar
import RemindavReminders

/// The order of a listing that is not divided into days: by several keys, the first one first.
///
/// Reminders that are equal in all keys have the order of a listing by day. Reminders without a value come last, also if
/// the order of the values is reversed.
package struct ReminderOrder: Hashable, Sendable {
    /// A key; the words are those of the command line.
    package enum Key: String, CaseIterable, Sendable {
        /// The due time, or the end of a snooze that still lasts, the earliest first.
        case due
        /// The start, the earliest first.
        case start
        /// The priority, the highest first.
        case priority
        /// The title, by letters; case and diacritical marks are ignored, except between equal titles.
        case title
        /// The time of creation, the earliest first.
        case created
        /// The time of the last change, the earliest first.
        case changed
        /// The name of the list, compared as titles.
        case list
        /// The first of the labels by letters, compared as titles.
        case label
    }

    /// A key with its direction.
    package struct Term: Hashable, Sendable {
        /// The key.
        package let key: Key
        /// Whether the order of the key is reversed.
        package let isReversed: Bool

        /// Creates a term.
        package init(_ key: Key, isReversed: Bool = false) {
            self.key = key
            self.isReversed = isReversed
        }
    }

    /// The terms; the first one decides first.
    package let terms: [Term]

    /// Creates an order; without terms, it is the order of a listing by day.
    package init(_ terms: [Term]) { self.terms = terms }

    /// The fields that must be read for the order.
    package var detail: ReminderDetail {
        let isLine = self.terms.allSatisfy { $0.key != .created && $0.key != .changed }
        return isLine ? .line : .everything
    }

    /// The order of the elements of an array of reminders, as indices.
    ///
    /// - Parameter reminders: in the order of a listing by day, which equal reminders keep.
    package func indices(of reminders: [ReminderView]) -> [Int] {
        let columns = self.terms.map { SortColumn($0, reminders) }
        let width = columns.count
        // The keys of a reminder are neighbours, so that most comparisons read one place of memory.
        let keys = reminders.indices.flatMap { place in columns.map { $0.keys[place] } }
        return reminders.indices.sorted { left, right in
            for column in 0..<width {
                let (one, two) = (keys[left * width + column], keys[right * width + column])
                if one != two { return one < two }
                if let isBefore = columns[column].precedes(left, right) { return isBefore }
            }
            return left < right
        }
    }
}

extension [ReminderView] {
    /// Sorts reminders that are in the order of a listing by day.
    package mutating func sort(in order: ReminderOrder) { self.arrange(order.indices(of: self)) }
}

/// The values of all reminders for one term.
private struct SortColumn {
    /// For each reminder a number whose order is that of the values, as far as it shows it; without a value, the largest.
    let keys: [UInt64]
    /// The complete texts, since texts with one key may differ; `nil` for numbers.
    private let texts: FoldedTitles?
    private let isReversed: Bool

    init(_ term: ReminderOrder.Term, _ reminders: [ReminderView]) {
        // A span lends the fields of each reminder; a loop over the array would copy the whole reminder.
        let span = reminders.span
        func numbers(_ number: (Int) -> Int64?) -> ([UInt64?], FoldedTitles?) {
            // With the sign bit inverted, the order of the bits is that of the numbers.
            (span.indices.map { number($0).map { UInt64(bitPattern: $0) ^ (1 << 63) } }, nil)
        }
        func texts(_ text: (Int) -> String?) -> ([UInt64?], FoldedTitles?) {
            let titles = FoldedTitles(span.indices.map(text))
            return (titles.keys, titles)
        }
        let keys: [UInt64?]
        switch term.key {
        case .due: (keys, self.texts) = numbers { span[$0].effectiveInstant?.secondsSince1970 }
        case .start: (keys, self.texts) = numbers { span[$0].startInstant?.secondsSince1970 }
        case .priority:
            (keys, self.texts) = numbers { span[$0].priority == .undefined ? nil : Int64(span[$0].priority.place) }
        case .title: (keys, self.texts) = texts { span[$0].title }
        // RFC 3339 in UTC with four digits of the year sorts by letters.
        case .created: (keys, self.texts) = texts { span[$0].createdAt }
        case .changed: (keys, self.texts) = texts { span[$0].updatedAt }
        case .list: (keys, self.texts) = texts { span[$0].list }
        case .label:
            (keys, self.texts) = texts { span[$0].labels.min(by: { TitleOrder.precedes($0, $1) ?? false }) }
        }
        let isReversed = term.isReversed
        self.keys = keys.map { key in key.map { isReversed ? ~$0 : $0 } ?? .max }
        self.isReversed = isReversed
    }

    /// Compares two values with one key; `nil` if they are equal.
    func precedes(_ left: Int, _ right: Int) -> Bool? {
        self.texts?.precedes(left, right).map { $0 != self.isReversed }
    }
}
