import RemindavReminders

enum ListChoice {
    /// The number of invalid answers after which the question counts as declined.
    static let maximumAnswers = 3

    /// - Returns: the parsed answer; `nil` if the user cancels or gives no valid answer.
    static func ask<Value>(_ question: String, in context: Context, _ read: (String) -> Value?) throws -> Value? {
        for _ in 0..<self.maximumAnswers {
            guard let answer = try context.terminal.ask(question) else { return nil }
            if answer == Terminal.endOfInput { return nil }
            if let value = read(answer.trimmingWhiteSpace) { return value }
            context.output.remark("Type a number or a name from above.")
        }
        return nil
    }

    static func table(_ names: [String]) -> StyledText {
        Table.text(names.enumerated().map { ["  \($0.offset + 1)", $0.element] })
    }

    /// The position of a list, from its number (counted from 1) or its name; `nil` if there is no such list.
    static func place(of answer: String, in names: [String]) -> Int? {
        // The name comes first, because a list may be called '2027'.
        if let place = self.place(named: answer, in: names) { return place }
        guard let number = Int(answer), names.indices.contains(number - 1) else { return nil }
        return number - 1
    }

    /// The position of a name, ignoring case if no name matches exactly; `nil` if there is no such name.
    static func place(named name: String, in names: [String]) -> Int? {
        if let place = names.firstIndex(of: name) { return place }
        let similar = names.indices.filter { names[$0].lowercased() == name.lowercased() }
        return similar.count == 1 ? similar[0] : nil
    }

    /// The positions for `1,3`, `1 3` or names with commas; `all` or no text means all; `nil` if a part is not a list.
    static func places(_ answer: String, in names: [String]) -> Set<Int>? {
        if answer.isEmpty || answer.lowercased() == "all" && self.place(named: answer, in: names) == nil {
            return Set(names.indices)
        }
        if let place = self.place(of: answer, in: names) { return [place] }
        let isNumbers = answer.allSatisfy { "0123456789, ".contains($0) }
        let parts = answer.split { $0 == "," || isNumbers && $0 == " " }.map { String($0).trimmingWhiteSpace }
        let places = parts.map { self.place(of: $0, in: names) }
        return places.isEmpty || places.contains(nil) ? nil : Set(places.compactMap { $0 })
    }
}
