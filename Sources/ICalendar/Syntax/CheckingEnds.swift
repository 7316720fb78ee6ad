extension DocumentChecker {
    /// Collects the issues of parsing and checks for missing ENDs.
    ///
    /// A truncated file is reported once, and so is an END in the wrong place.
    mutating func checkReading() {
        let storage = self.document.storage
        self.checkEnds()
        for issue in self.document.issues {
            switch issue.code {
            case .missingEnd: continue
            case .unexpectedEnd where self.lateEnds.contains(issue.line): continue
            case .missingColon, .badName, .unclosedQuote:
                if issue.line != self.cutLine { self.issues.add(issue) }
            default: self.issues.add(issue)
            }
        }
        // Bad lines beyond the parser's limit of issues are counted from the line records.
        let told = self.document.issues.filter { $0.code != .missingEnd }
        guard told.count >= storage.limits.issues, let last = told.last else { return }
        let bad = storage.lines.count { $0.kind == .bad }
        self.issues.count(max(bad - told.count, 0), like: last)
    }

    private mutating func checkEnds() {
        let storage = self.document.storage
        guard storage.components.contains(where: { !$0.isEnded }) else { return }
        let last = storage.lines.count - 1
        var ends = LateEnds(self.document.issues)
        var innermost: Component?
        var isCut = false
        for index in storage.components.indices where !storage.components[index].isEnded {
            let component = Component(storage: storage, index: index)
            let end = Int(storage.components[index].end)
            if end == last {
                // A to-do alone may be a part of a stream that an import reads in parts.
                isCut = isCut || component.parent == nil && component.name == .vcalendar
                innermost = component
                guard isCut else { self.report(.missingEnd, component.line, component.name.canonical); continue }
            } else if let line = ends.next(component.name.canonical, after: Int(storage.lines[end].number)) {
                self.lateEnds.insert(line)
                self.report(.crossedEnds, line, component.name.canonical, component.endedAncestor?.name.canonical)
            } else {
                self.report(.missingEnd, component.line, component.name.canonical)
            }
        }
        guard isCut, let innermost else { return }
        let line = storage.lines.dropLast().last { $0.kind != .blank }.map { Int($0.number) } ?? innermost.line
        if storage.source.last != 0x0A, storage.source.last != 0x0D { self.cutLine = line }
        self.report(.fileCutShort, line, innermost.name.canonical)
    }
}

extension Component {
    /// The surrounding component with an END.
    fileprivate var endedAncestor: Component? {
        var ancestor = self.parent
        while let candidate = ancestor, !candidate.isEnded { ancestor = candidate.parent }
        return ancestor
    }
}

/// The ENDs that have no BEGIN, to be matched with components that have no END.
private struct LateEnds {
    private var lines: [String: ArraySlice<Int>] = [:]

    init(_ issues: [ParseIssue]) {
        for issue in issues where issue.code == .unexpectedEnd {
            if let subject = issue.subject { self.lines[subject, default: []].append(issue.line) }
        }
    }

    /// The first END of that name after a line; it is then assigned to a component.
    mutating func next(_ name: String, after line: Int) -> Int? {
        guard var lines = self.lines.removeValue(forKey: name) else { return nil }
        lines = lines.drop { $0 <= line }
        let found = lines.popFirst()
        self.lines[name] = lines
        return found
    }
}
