extension DocumentChecker {
    /// Checks whether STATUS, COMPLETED and PERCENT-COMPLETE agree; no standard requires it, and programs differ in
    /// their priority.
    ///
    /// `Reminder.status` defines their interpretation: cancelled before completed, completed before open.
    mutating func checkStates(_ todo: Component) {
        guard [Name.status, .completed, .percentComplete].count(where: { self.has($0, todo) }) > 1 else { return }
        let status = self.has(.status, todo) ? todo.first(.status) : nil
        let word = status?.value.trimmingSpaces.uppercased()
        let stamp = self.has(.completed, todo) ? todo.first(.completed) : nil
        let completed = stamp?.moment == nil ? nil : stamp
        let percent = self.has(.percentComplete, todo) ? todo.first(.percentComplete) : nil
        let share = percent?.integer.flatMap { (0...100).contains($0) ? $0 : nil }
        let isFull = share == 100
        if word == "CANCELLED" {
            let words = "it says that the to-do is done and STATUS that it is cancelled; it counts as cancelled"
            if let completed { self.report(.stateContradicted, completed.line, "COMPLETED", words) }
            return
        }
        let reason = word == "COMPLETED" ? "STATUS" : completed != nil ? "COMPLETED" : isFull ? "PERCENT-COMPLETE" : nil
        guard let reason else { return }
        let words = "it says that the to-do is open and \(reason) that it is done; it counts as done"
        if let status, word == "NEEDS-ACTION" || word == "IN-PROCESS" {
            self.report(.stateContradicted, status.line, "STATUS", words)
        }
        if let percent, let share, share < 100 {
            self.report(.stateContradicted, percent.line, "PERCENT-COMPLETE", words)
        }
    }
}
