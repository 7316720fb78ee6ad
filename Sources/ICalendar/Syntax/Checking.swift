extension ICalendarDocument {
    /// Everything that is wrong: what reading met, and what RFC 5545 asks of the properties of a to-do.
    public func checked() -> [ParseIssue] {
        var issues = self.issues
        for todo in self.all(.vtodo) {
            if todo.first(.uid)?.text.trimmingSpaces.isEmpty ?? true {
                issues.append(ParseIssue(.missingUID, line: todo.line, subject: Name.vtodo.canonical))
            }
            todo.checkProperties(&issues)
            for alarm in todo.components(.valarm) { alarm.checkProperties(&issues) }
        }
        issues += self.encodingIssues()
        return issues.sorted { ($0.line, $0.code.rawValue) < ($1.line, $1.code.rawValue) }
    }

    private func encodingIssues() -> [ParseIssue] {
        // Nearly every stream is clean; one look at the whole costs less than one at each line.
        let isUTF8 = String(validating: self.bytes, as: UTF8.self) != nil
        guard !isUTF8 || self.bytes.hasStrayControls else { return [] }
        var issues: [ParseIssue] = []
        for (index, line) in self.storage.lines.enumerated()
        where line.kind != .blank && issues.count < self.storage.limits.issues {
            let content = self.storage.content(index)
            if String(validating: content, as: UTF8.self) == nil {
                issues.append(ParseIssue(.notUTF8, line: Int(line.number)))
            }
            if content.contains(where: { $0.isStrayControl || $0 == 0x0D }) {
                issues.append(ParseIssue(.controlCharacter, line: Int(line.number)))
            }
        }
        return issues
    }
}

extension [UInt8] {
    /// Whether there is a control character that is neither a tab nor a line end.
    fileprivate var hasStrayControls: Bool {
        let bytes = self.span
        for position in bytes.indices where bytes[position] < 0x20 || bytes[position] == 0x7F {
            let isLoneReturn =
                bytes[position] == 0x0D
                && (position + 1 == bytes.count || bytes[position + 1] != 0x0A)
            if bytes[position].isStrayControl || isLoneReturn { return true }
        }
        return false
    }
}

extension UInt8 {
    /// A control character that is neither a tab nor a part of a line end.
    fileprivate var isStrayControl: Bool {
        self < 0x20 && self != 0x09 && self != 0x0A && self != 0x0D || self == 0x7F
    }
}

extension Component {
    fileprivate func checkProperties(_ issues: inout [ParseIssue]) {
        var seen: Set<Name> = []
        for property in self.properties {
            guard let definition = property.definition else {
                if property.hasUnreadableParameters {
                    issues.append(ParseIssue(.badParameter, line: property.line, subject: property.name.canonical))
                }
                continue
            }
            let name = definition.name
            if !definition.mayRepeat, !seen.insert(name).inserted {
                issues.append(ParseIssue(.duplicateProperty, line: property.line, subject: name.canonical))
            }
            if !property.isReadable(as: definition) {
                issues.append(ParseIssue(.badValue, line: property.line, subject: name.canonical))
            }
            if property.hasUnreadableParameters {
                issues.append(ParseIssue(.badParameter, line: property.line, subject: name.canonical))
            }
        }
    }
}

extension Property {
    /// Whether the value is one of its type.
    fileprivate func isReadable(as definition: PropertyDefinition) -> Bool {
        guard let values = try? self.values() else { return false }
        return values.allSatisfy { value in
            if case .integer(let number) = value { definition.range.contains(number) } else { true }
        }
    }
}
