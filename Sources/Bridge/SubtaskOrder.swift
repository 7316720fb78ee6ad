import RemindavReminders

/// The order in which each subtask follows its parent.
enum SubtaskOrder {
    /// The places of the elements in their new order, each with the number of its ancestors.
    ///
    /// Elements without a parent keep their order, and so do the subtasks of one parent. Of elements in a cycle, the
    /// first one counts as an element without a parent.
    static func order(ofParents parents: [Int?]) -> [(place: Int, depth: Int)] {
        var children: [Int: [Int]] = [:]
        for (place, parent) in parents.enumerated() {
            if let parent { children[parent, default: []].append(place) }
        }
        var order: [(place: Int, depth: Int)] = []
        order.reserveCapacity(parents.count)
        var isSeen = [Bool](repeating: false, count: parents.count)
        var waiting: [(place: Int, depth: Int)] = []
        for root in parents.indices.filter({ parents[$0] == nil }) + Array(parents.indices) where !isSeen[root] {
            waiting.append((root, 0))
            while let (place, depth) = waiting.popLast() {
                guard !isSeen[place] else { continue }
                isSeen[place] = true
                order.append((place, depth))
                guard let below = children[place] else { continue }
                waiting += below.reversed().map { ($0, depth + 1) }
            }
        }
        return order
    }
}

extension [ReminderView] {
    /// Moves each subtask below its parent, and sets its depth.
    ///
    /// A subtask stays at its own place if the parent is not among the reminders, if only one of both is closed, or if
    /// its group is above that of the parent: a subtask for today must not be hidden below a parent for next week.
    package mutating func nestSubtasks() {
        let subtasks = self.indices.filter { self[$0].parentID != nil }
        if subtasks.isEmpty { return }
        let wanted = Set(subtasks.compactMap { self[$0].parentID })
        let found = self.indices.filter { wanted.contains(self[$0].id) }
        let places = Dictionary(found.map { (self[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        var parents = [Int?](repeating: nil, count: self.count)
        for subtask in subtasks {
            guard let place = self[subtask].parentID.flatMap({ places[$0] }),
                self[place].group <= self[subtask].group,
                self[place].status.isClosed == self[subtask].status.isClosed
            else { continue }
            parents[subtask] = place
        }
        let order = SubtaskOrder.order(ofParents: parents)
        self.arrange(order.map(\.place))
        for (place, element) in order.enumerated() where element.depth > 0 { self[place].depth = element.depth }
    }
}
