import ICalendar
import Reminders

/// The order of a listing that is not divided into days: by several keys, the first one first.
///
/// Reminders that are equal in all keys have the order of a listing by day. Reminders without a value come last, also if
/// the order of the values is reversed.
public struct ReminderOrder: Hashable, Sendable {
    /// A key; the words are those of the command line.
    public enum Key: String, CaseIterable, Sendable {
        /// The due time, or the end of a snooze that still lasts, the earliest first.
        case due
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
    public struct Term: Hashable, Sendable {
        /// The key.
        public let key: Key
        /// Whether the order of the key is reversed.
        public let isReversed: Bool

        /// Creates a term.
        public init(_ key: Key, isReversed: Bool = false) {
            self.key = key
            self.isReversed = isReversed
        }
    }

    /// The terms; the first one decides first.
    public let terms: [Term]

    /// Creates an order; without terms, it is the order of a listing by day.
    public init(_ terms: [Term]) { self.terms = terms }

    /// The fields that must be read for the order.
    public var detail: ReminderDetail {
        let isLine = self.terms.allSatisfy { $0.key != .created && $0.key != .changed }
        return isLine ? .line : .everything
    }

    /// The order of the elements of an array of reminders, as indices.
    ///
    /// - Parameter reminders: in the order of a listing by day, which equal reminders keep.
    package func indices(of reminders: [ReminderView]) -> [Int] {
        let columns = self.terms.map { Column($0, reminders) }
        return reminders.indices.sorted { left, right in
            for column in columns {
                if let isBefore = column.precedes(left, right) { return isBefore }
            }
            return left < right
        }
    }
}

extension [ReminderView] {
    /// Sorts reminders that are in the order of a listing by day.
    public mutating func sort(in order: ReminderOrder) { self.arrange(order.indices(of: self)) }
}

/// The values of all reminders for one term.
private struct Column {
    private enum Values {
        case numbers([Int64?])
        case texts([String?])
    }

    private let values: Values
    private let isReversed: Bool

    init(_ term: ReminderOrder.Term, _ reminders: [ReminderView]) {
        self.isReversed = term.isReversed
        self.values =
            switch term.key {
            case .due: .numbers(reminders.map { $0.effectiveInstant?.secondsSince1970 })
            case .priority: .numbers(reminders.map { $0.priority == .undefined ? nil : Int64($0.priority.place) })
            case .title: .texts(reminders.map { $0.title })
            // RFC 3339 in UTC with four digits of the year sorts by letters.
            case .created: .texts(reminders.map { $0.createdAt })
            case .changed: .texts(reminders.map { $0.updatedAt })
            case .list: .texts(reminders.map { $0.list })
            case .label: .texts(reminders.map { $0.labels.min(by: { TitleOrder.precedes($0, $1) ?? false }) })
            }
    }

    /// `nil` if the values are equal.
    func precedes(_ left: Int, _ right: Int) -> Bool? {
        switch self.values {
        case .numbers(let numbers): self.precedes(numbers[left], numbers[right]) { $0 == $1 ? nil : $0 < $1 }
        case .texts(let texts): self.precedes(texts[left], texts[right], TitleOrder.precedes)
        }
    }

    private func precedes<Value>(_ left: Value?, _ right: Value?, _ compare: (Value, Value) -> Bool?) -> Bool? {
        guard let left, let right else { return (left == nil) == (right == nil) ? nil : right == nil }
        return compare(left, right).map { $0 != self.isReversed }
    }
}
