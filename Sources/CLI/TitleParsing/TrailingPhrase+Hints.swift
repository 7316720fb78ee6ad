import Bridge
import ICalendar

/// What is said of words at the end of a title that look as if they named a day, and are not taken.
extension TrailingPhraseReader {
    /// At most one sentence for a day, and one for a label.
    ///
    /// - Parameter date: the sentence about the day; see ``hintOfDate(isRead:)``.
    func hints(_ date: String?) -> [String] {
        var hints: [String] = []
        if let date { hints.append("No date was taken from the title. \(date)") }
        if self.kinds.contains(.label), let word = self.words.first(where: { Self.isDoubleMark($0) }) {
            hints.append("'\(word.text)' is no label; '\(word.text.dropFirst())' is one.")
        }
        return hints
    }

    /// A sentence about words that look like a date and were not taken; `nil` where there are none.
    ///
    /// - Parameter isRead: whether a phrase was taken from the end, so that the end was understood.
    func hintOfDate(isRead: Bool) -> String? {
        guard !isRead, self.kinds.contains(.due) else { return nil }
        return self.hintOfDay() ?? self.hintOfList() ?? self.hintOfFullDates()
    }

    private func hintOfFullDates() -> String? {
        let dates = self.fullDates(before: self.words.count).map { "'\(self.words[$0].text)'" }
        guard let first = dates.first, self.words.count > 1 else { return nil }
        if dates.count > 1 { return "It has several dates: \(dates.joined(separator: ", "))." }
        return "\(first) belongs to the words around it. Write it at the end, or with --due."
    }

    /// `friday 9am @grocries`: a word at the end that is no list stands in the way of what would be read before it.
    private func hintOfList() -> String? {
        guard case .mark("@", _)? = self.words.last?.form, let text = self.words.last?.text else { return nil }
        let reader = TrailingPhraseReader(
            words: self.words.dropLast(),
            kinds: self.kinds,
            year: self.year,
            isBygone: self.isBygone
        )
        guard (try? reader.read())?.due != nil else { return nil }
        return "There is no list for '\(text)', and it stands behind the date."
    }

    /// What is said of a day that is not understood and stands directly before a place; `nil` where none does.
    func refusalOfDay(before place: Int) -> String? {
        guard place > 0, self.words[place - 1].form == .plain else { return nil }
        return self.refusalOfDay(self.words[place - 1].text)
    }

    private func refusalOfDay(_ text: Substring) -> String? {
        var word = text
        while let end = word.last, ",.!?".contains(end), !Self.isDotted(word) { word.removeLast() }
        return Self.isWholeDay(word, from: self.year) ? NumericDay.refusal(String(word)) : nil
    }

    private func hintOfDay() -> String? {
        guard let last = self.words.last, last.form == .plain, self.words.count > 1 else { return nil }
        if let hint = self.hintOfUnread() { return hint }
        var word = last.text
        while let end = word.last, ",.!?".contains(end), !Self.isDotted(word) { word.removeLast() }
        let before = self.words[self.words.count - 2].text.lowercased()
        let small = word.lowercased()
        let isWeekend = small == "weekend" && ["this", "next"].contains(before)
        if !Self.needsMore(before) || before == "on", let sentence = self.refusalOfDay(word) { return sentence }
        // `24.12.2026 at 10am`: the day in front of a time.
        let times = max(1, self.words.count - 2)..<self.words.count
        for start in times where self.isTime(start..<self.words.count) {
            if let sentence = self.refusalOfDay(before: start) { return sentence }
        }
        if let hint = self.hintOfOrdinal() { return hint }
        if !isWeekend, Self.needsMore(before) { return nil }
        if let hint = self.hintOfHour() ?? self.hintOfLooseTime() { return hint }
        // Tom is a name.
        guard Self.wordsForDays.contains(small) || isWeekend || word == "tom" else { return nil }
        return "'\(word)':\(PhraseAdvice.when(small))"
    }

    /// `tomorrow 9`: a day with an hour that has neither `at` nor `am`.
    private func hintOfHour() -> String? {
        let end = self.words.count - 1
        guard let hour = BareHour(self.words[end].text) else { return nil }
        for start in max(0, end - Self.longestDay)..<end {
            guard self.words[start..<end].allSatisfy({ $0.form == .plain }) else { continue }
            let day = self.words[start..<end].map { String($0.text) }.joined(separator: " ")
            guard let advice = hour.advice(behind: day), !self.belongsToTitle(start..<end, nil) else { continue }
            return advice
        }
        return nil
    }

    /// `the day after tomorrow`, `December 24, 2027`: words of a day.
    private static let longestDay = 5

    /// A day with its year, or with a dot behind the month: `3/4` may be a size, and `6.1.2` is a version.
    static func isWholeDay(_ word: Substring, from year: Int) -> Bool {
        let numbers = word.split { "/.-".contains($0) }
        if numbers.count == 2 { return self.isDotted(word) }
        let long = numbers.filter { $0.count > 2 }
        if !long.isEmpty { return long.allSatisfy { $0.count == 4 && (Int($0) ?? 0) >= year } }
        // With hyphens, a short year may stand in front.
        let years = [numbers.last, word.contains("-") ? numbers.first : nil].compactMap { $0 }
        return years.contains { $0.count == 2 && 2000 + (Int($0) ?? 0) >= year }
    }

    /// Whether it is of the form `24.12.`, with the dots of an ordinal.
    static func isDotted(_ word: Substring) -> Bool {
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].isEmpty else { return false }
        return parts[..<2].allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isPhraseDigit) }
    }

    private static func isDoubleMark(_ word: TitleTokens.Word) -> Bool {
        guard case .mark("#", let name) = word.form, name.first == "#" else { return false }
        return TitleMarkers(lists: []).label(name.dropFirst(), isQuoted: false) != nil
    }

    /// Words for a day that are not understood, and at the end of a title hardly mean anything else.
    static let wordsForDays: Set = [
        "tonight", "tmr", "tmrw", "2morrow", "heute", "morgen", "aujourd'hui", "demain", "hoy", "mañana", "oggi",
        "domani", "hoje", "amanhã", "vandaag",
    ]
}

/// An hour of which nothing says that it is one: the 9 of `tomorrow 9`.
struct BareHour {
    private let text: String
    private let number: Int

    /// - Returns: `nil` for anything but a number from 0 to 24.
    init?(_ word: some StringProtocol) {
        guard let number = Vocabulary.number(String(word), digits: 2), number <= 24 else { return nil }
        self.text = String(word)
        self.number = number
    }

    /// `Write 'at 7am' or 'at 7pm'.`, for an hour behind `at` alone, which is as often a number as a time: `Stop at 10`.
    var adviceAlone: String {
        guard (1...12).contains(self.number) else { return "If that is a time, write 'at \(self.text):00'." }
        return "If that is a time, write 'at \(self.number)am' or 'at \(self.number)pm'."
    }

    /// The time that is so many minutes before or after the hour: `9:15`, `8:45`; `nil` where a clock has no such time.
    func time(minutes: Int) -> String? {
        let minute = self.number * 60 + minutes
        guard (0..<24 * 60).contains(minute) else { return nil }
        return "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
    }

    /// `Write 'tomorrow at 9' or 'tomorrow 9am'.`; `nil` behind what is no day.
    func advice(behind day: String) -> String? {
        let whole = "\(day) at \(self.text)"
        var parser = WhenParser(whole)
        guard case .understood(.day(let phrase, .clock)) = parser.reading(), phrase != .soonest else { return nil }
        let short = (1...12).contains(self.number) ? " or '\(day) \(self.number)am'" : ""
        return "Write '\(whole)'\(short)."
    }
}
