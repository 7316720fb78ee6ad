// Handling of recognised lines in ComponentSplitter.

extension ComponentSplitter {
    mutating func reject(_ code: ParseIssue.Code) {
        let issue = ParseIssue(code, line: self.number, subject: self.open.first?.canonical)
        if self.open.isEmpty {
            self.parts.append(.issue(issue))
            self.pending.removeAll(keepingCapacity: true)
        } else if self.rejection == nil {
            self.rejection = issue
        }
    }

    mutating func content() {
        let isBlank = self.pending[...].isBlankLine
        guard self.open.isEmpty else {
            if !isBlank { self.hasContent = true }
            return self.grow()
        }
        if self.isInCalendar, !isBlank {
            self.parts.append(.property(bytes: self.pending, line: self.number))
        } else if !isBlank, !self.isOutside {
            // Once for all lines, for example of a mail header or of a text after a calendar.
            self.isOutside = true
            self.parts.append(.issue(ParseIssue(.unexpectedText, line: self.number)))
        }
    }

    /// Appends the line to the open component.
    @inline(__always)
    mutating func grow() {
        guard self.rejection == nil else { return }
        let count = self.whole?.count ?? self.pending.count
        guard self.component.count &+ self.run.count &+ count <= self.limits.componentBytes else {
            return self.reject(.componentTooLarge)
        }
        if let whole = self.whole {
            self.run = (self.run.isEmpty ? whole.lowerBound : self.run.lowerBound)..<whole.upperBound
        } else {
            self.component += self.pending
        }
    }

    /// Copies the part that belongs to the open component.
    mutating func endRun() {
        if !self.run.isEmpty { self.component += self.source[self.run] }
        self.run = 0..<0
    }

    mutating func begin(_ name: Name) {
        self.isOutside = false
        if name == .vcalendar {
            // A calendar inside a calendar: the END of the first is missing.
            if !self.open.isEmpty { self.endComponent() }
            self.isInCalendar = true
            self.hasComponents = true
            self.parts.append(.calendarBegin(line: self.number))
            return
        }
        // A to-do inside a to-do with content: the END of the first is missing.
        if name == self.open.first, self.hasContent { self.endComponent() }
        if self.open.isEmpty {
            self.componentLine = self.number
            self.rejection = nil
            self.hasContent = false
            if Self.known.contains(name) { self.hasComponents = true }
        }
        // The surrounding VCALENDAR counts as one level.
        if self.depthBeyondLimit > 0 || self.open.count + (self.isInCalendar ? 1 : 0) >= self.limits.depth {
            if self.rejection == nil { self.rejection = ParseIssue(.tooDeep, line: self.number) }
            self.depthBeyondLimit += 1
        } else {
            self.open.append(name)
        }
        self.grow()
    }

    mutating func end(_ name: Name) {
        if name == .vcalendar {
            if !self.open.isEmpty { self.endComponent() }
            if self.isInCalendar { self.parts.append(.calendarEnd) }
            self.isInCalendar = false
            return
        }
        if self.depthBeyondLimit > 0 {
            self.depthBeyondLimit -= 1
            return self.grow()
        }
        guard let depth = self.open.lastIndex(of: name) else {
            if self.open.isEmpty {
                self.parts.append(.issue(ParseIssue(.unexpectedEnd, line: self.number, subject: name.canonical)))
            } else {
                self.grow()
            }
            return
        }
        self.grow()
        self.open.removeSubrange(depth...)
        if self.open.isEmpty { self.endComponent(name) }
    }

    mutating func endComponent(_ ended: Name? = nil) {
        defer {
            self.open.removeAll(keepingCapacity: true)
            self.component = []
            self.run = 0..<0
            self.rejection = nil
            self.depthBeyondLimit = 0
        }
        guard let name = ended ?? self.open.first else { return }
        if let rejection {
            self.parts.append(.issue(rejection))
        } else {
            self.endRun()
            self.parts.append(.component(name: name, bytes: self.component, line: self.componentLine))
        }
    }
}
