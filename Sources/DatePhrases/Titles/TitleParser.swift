package import RemindavICalendar
package import RemindavReminders

/// Parses the title of a new reminder: `Call Ben tomorrow 9am #home !high`.
///
/// A marker such as `#home` is valid anywhere, a due time and a rule only at the end. If no word would remain, the
/// whole line is the title. docs/decisions/0021-parsing-a-title.md has the reasons.
package struct TitleParser {
    /// The kinds to look for; the caller leaves out each kind that a command-line option gives.
    let kinds: Set<ParsedTitle.Kind>
    private var lists = ListDirectory<String>()
    private let listNames: [String]
    let now: Instant
    let zone: LocalZone

    package init(kinds: Set<ParsedTitle.Kind>, lists: [String], now: Instant, zone: LocalZone) {
        self.kinds = kinds
        self.now = now
        self.zone = zone
        self.listNames = lists
        for name in lists { self.lists.add(name, named: name) }
    }

    /// - Throws: if two markers contradict each other, or if a phrase is impossible, ambiguous or past.
    package func read(_ line: String) throws(PhraseError) -> ParsedTitle {
        var result = ParsedTitle(title: line)
        var rest: [TitleTokens.Word] = []
        var words = TitleTokens(line).words[...]
        while let first = words.popFirst() {
            let word = self.withWholeName(first, &words, in: line)
            if try self.consume(word, into: &result) { continue }
            if try !self.consumePair(word, into: &result) { rest.append(word) }
        }
        var seen: Set<LabelKey> = []
        result.labels = result.labels.filter { seen.insert(LabelKey($0)).inserted }
        try self.readPhrases(of: rest, in: line, into: &result)
        guard !result.removed.isEmpty else { return result }
        guard (try? Reminder.checked(title: result.title)) != nil else {
            var whole = ParsedTitle(title: line)
            whole.isUndated = result.isUndated || result.when != nil
            whole.obstacle = result.obstacle
            whole.unread = result.unread
            whole.unknownLists = result.unknownLists
            return whole
        }
        result.removed.sort { $0.words[0].startIndex < $1.words[0].startIndex }
        return result
    }

    /// The word with the next ones, if they are the name of a list with blanks: `@Home Garden`, `project:Home Garden`.
    private func withWholeName(
        _ word: TitleTokens.Word,
        _ next: inout ArraySlice<TitleTokens.Word>,
        in line: String
    ) -> TitleTokens.Word {
        guard self.kinds.contains(.list), let sign = word.text.firstIndex(where: { "@:".contains($0) }) else {
            return word
        }
        let isMark = sign == word.text.startIndex
        guard isMark ? word.form == .mark("@", word.text.dropFirst()) : Self.namesList(word.text[..<sign]) else {
            return word
        }
        let start = word.text.index(after: sign)
        for count in (1..<Self.longestName).reversed() where count <= next.count {
            guard let last = next.prefix(count).last, next.prefix(count).allSatisfy({ $0.form == .plain }),
                self.list(line[start..<last.text.endIndex]) != nil
            else { continue }
            next = next.dropFirst(count)
            let (text, name) = (line[word.text.startIndex..<last.text.endIndex], line[start..<last.text.endIndex])
            return TitleTokens.Word(text: text, form: isMark ? .mark("@", name) : .pair(word.text[..<sign], name))
        }
        return word
    }

    /// The maximum number of words in the name of a list that is found without quotation marks.
    private static let longestName = 4

    private func reader(_ words: [TitleTokens.Word]) -> TrailingPhraseReader {
        let today = self.zone.wallClock(at: self.now).date
        return TrailingPhraseReader(words: words, kinds: self.kinds, today: today, isBygone: { self.isBygone($0) })
    }

    /// Parses the phrase at the end of the title, or, without such a phrase, the only date with a year in the title.
    ///
    /// A phrase may stand before names of unknown lists at the end: `Call Ben friday @money`.
    private func readPhrases(
        of words: [TitleTokens.Word],
        in line: String,
        into result: inout ParsedTitle
    ) throws(PhraseError) {
        let rest = TrailingPhraseReader.withoutNames(words)
        let names = words[rest.count...]
        let reader = self.reader(rest)
        let phrase = try reader.read()
        let dateRest = reader.dateRest(
            before: phrase?.start ?? rest.count,
            namesDay: phrase.map(TrailingPhraseReader.namesDay) ?? false
        )
        // In `Meeting 03/04 9am`, the time belongs to the ambiguous day `03/04`, so no other day is assumed.
        let hasDate = result.when != nil
        let tail = dateRest == nil || hasDate ? phrase : nil
        if !hasDate, tail == nil, try self.takeFullDate(of: rest, names, in: line, into: &result) { return }
        if !hasDate, phrase == nil, try self.takeLeadingDay(of: rest, names, in: line, into: &result) { return }
        let isUnread = phrase == nil && reader.mayNameDate
        let unread = tail.map { reader.phraseLeft(before: $0.start) } ?? reader.unreadPhrase(before: rest.count)
        let mayNameDate = isUnread || dateRest != nil || reader.endsInPhrase || unread?.isCertain == true
        result.isUndated = tail == nil && !hasDate && self.kinds.contains(.due) && mayNameDate
        let found = tail == nil ? dateRest ?? unread?.words : unread?.words
        if !hasDate { result.unread = found.map { self.unread(reader.extended($0), reader) } }
        if result.isUndated { result.obstacle = reader.obstacle(of: found, before: phrase?.start ?? rest.count) }
        var start = tail?.start ?? rest.count
        if let when = tail?.when, let words = tail?.due?.words {
            let isAnnounced =
                words.lowerBound == start && start > 1 && Self.announcements.contains(rest[start - 1].text)
            if isAnnounced { start -= 1 }
            try self.add(when, rest[(isAnnounced ? start : words.lowerBound)..<words.upperBound], to: &result)
        }
        if let (rule, words) = tail?.rule {
            let texts = words.flatMap { rest[$0].map(\.text) }
            if result.rule != nil { throw Self.contradiction(.rule, texts.joined(separator: " "), result) }
            result.rule = rule
            result.end = tail?.end
            result.removed.append(.init(kind: .rule, words: texts))
            if tail?.due == nil, let when = tail?.when { try self.add(when, [], to: &result) }
        }
        guard !result.removed.isEmpty else { return }
        result.isStart = !hasDate && tail?.isStart ?? false
        result.title = Self.title(line, (rest[..<start] + names).map(\.text), hasTail: tail != nil)
    }

    /// Takes the only date with a year; returns `false` if there is none.
    ///
    /// - Parameter names: words at the end that stay in the title.
    private func takeFullDate(
        of rest: [TitleTokens.Word],
        _ names: ArraySlice<TitleTokens.Word>,
        in line: String,
        into result: inout ParsedTitle
    ) throws(PhraseError) -> Bool {
        let reader = self.reader(rest)
        guard let date = reader.onlyFullDate(), reader.dateRest(before: date.words.lowerBound, namesDay: true) == nil
        else { return false }
        let left = Array(rest[..<date.words.lowerBound] + rest[date.words.upperBound...])
        guard !left.isEmpty, try !self.endsInPhrase(left) else { return false }
        let cut = date.words.lowerBound
        let near = self.reader(left).unreadPhrase(before: left.count) { $0.upperBound == cut || $0.lowerBound == cut }
        result.unread = near.map { self.unread($0.words, self.reader(left)) }
        try self.add(date.when, rest[date.words], to: &result)
        result.title = Self.title(line, (left + names).map(\.text), hasTail: date.words.upperBound == rest.count)
        return true
    }

    /// Takes the day before the first colon; returns `false` if there is none.
    private func takeLeadingDay(
        of rest: [TitleTokens.Word],
        _ names: ArraySlice<TitleTokens.Word>,
        in line: String,
        into result: inout ParsedTitle
    ) throws(PhraseError) -> Bool {
        guard let (when, count) = self.leadingDay(rest) else { return false }
        let left = Array(rest[count...])
        guard try !self.endsInPhrase(left), self.leadingDay(left) == nil else { return false }
        try self.add(when, rest[..<count], to: &result)
        result.title = Self.title(line, (left + names).map(\.text), hasTail: false)
        return true
    }

    /// Whether a title without a date would end in another phrase.
    private func endsInPhrase(_ words: [TitleTokens.Word]) throws(PhraseError) -> Bool {
        let reader = self.reader(TrailingPhraseReader.withoutNames(words))
        if try reader.read() != nil { return true }
        return reader.endsInPhrase
    }

    private func unread(_ words: Range<Int>, _ reader: TrailingPhraseReader) -> ParsedTitle.UnreadPart {
        let text = reader.text(words)
        let when = try? When(text)
        let due = when.flatMap { $0.mayBePast ? $0.resolved(now: self.now, zone: self.zone) : nil }
        let isPast = due.map { (try? $0.checkedToBeInFuture(now: self.now, zone: self.zone)) == nil } ?? false
        let isValid = when != nil || RepeatPhrase.isTitlePhrase(text)
        return ParsedTitle.UnreadPart(text: text, isValid: isValid, isPast: isPast)
    }

    /// The words between a title and its due time that belong to the due time: `Meeting @ 5pm`, `Tax due 31 may`.
    private static let announcements: Set<Substring> = ["@", "due"]

    /// The day before the first colon, and the number of its words: `tomorrow: buy milk`; `nil` if there is no such day.
    private func leadingDay(_ words: [TitleTokens.Word]) -> (When, Int)? {
        let lead = words.prefix(Self.longestLead)
        guard self.kinds.contains(.due), let end = lead.firstIndex(where: { $0.text.last == ":" }),
            end + 1 < words.count, lead[...end].allSatisfy({ $0.form == .plain })
        else { return nil }
        let text = lead[...end].map { String($0.text) }.joined(separator: " ").dropLast()
        guard let when = WhenParser.read(String(text), .alone).value, case .day(let day, _) = when, day != .soonest,
            !self.isBygone(when)
        else { return nil }
        return (when, end + 1)
    }

    /// The maximum number of words before the colon; `the day after tomorrow at 9 pm:` has seven.
    private static let longestLead = 8

    private func add(
        _ when: When,
        _ words: ArraySlice<TitleTokens.Word>,
        to result: inout ParsedTitle
    ) throws(PhraseError) {
        // `due:friday` contains the day, and words at the end may contain the time.
        if let first = result.when {
            guard case .day(let day, .whole) = first, case .day(.soonest, let time) = when else {
                throw Self.contradiction(.due, words.map(\.text).joined(separator: " "), result)
            }
            result.when = .day(day, time)
        } else {
            result.when = when
        }
        if !words.isEmpty { result.removed.append(.init(kind: .due, words: words.map(\.text))) }
        do throws(PhraseError) {
            _ = try result.when?.resolved(now: self.now, zone: self.zone)?.checkedToBeInFuture(
                now: self.now,
                zone: self.zone
            )
        } catch {
            let text = words.map(\.text).joined(separator: " ")
            throw PhraseError(
                error.code,
                "\(error.sentence) '\(text)' at the end of the title means that time. --literal keeps the "
                    + "title unchanged."
            )
        }
    }

    /// Whether `when` is a past date or a past instant; such words stay in the title.
    private func isBygone(_ when: When) -> Bool {
        switch when {
        case .day(.date, _), .exact: break
        default: return false
        }
        let due = when.resolved(now: self.now, zone: self.zone)
        return due.map { (try? $0.checkedToBeInFuture(now: self.now, zone: self.zone)) == nil } ?? false
    }

    /// Joins the words with the original blanks between them; `hasTail` means that a phrase at the end was removed.
    private static func title(_ line: String, _ words: [Substring], hasTail: Bool) -> String {
        var title = ""
        var last: Substring?
        for word in words {
            if let last {
                let gap = line[last.endIndex..<word.startIndex]
                title += gap.allSatisfy(\.isLineBlank) ? String(gap) : " "
            }
            title += word
            last = word
        }
        // In `Call Ben, tomorrow`, the comma belongs to the removed phrase.
        if hasTail, title.hasSuffix(",") { title.removeLast() }
        return title
    }
}

/// Parses markers: words that begin with `#`, `+`, `!`, `@` or `*`, and `p1` to `p4`; a marker with an unknown name stays
/// in the title.
extension TitleParser {
    private func consume(_ word: TitleTokens.Word, into result: inout ParsedTitle) throws(PhraseError) -> Bool {
        guard case .mark(let sign, let name) = word.form,
            let kind = Self.kindsOfMarks[sign],
            self.kinds.contains(kind)
        else { return false }
        switch kind {
        case .priority:
            // `!30m` is an alarm in Todoist.
            if sign == "!", name.first?.isPhraseDigit == true, self.kinds.contains(.alarm),
                let alarms = AlarmFormatter.choices(String(name))
            {
                result.add(alarms)
                result.removed.append(.init(kind: .alarm, words: [word.text]))
                return true
            }
            let isMarksOnly = name.allSatisfy { $0 == "!" }
            guard let priority = Priority(word: isMarksOnly || sign == "p" ? word.text : name),
                priority != .undefined || sign == "p"
            else { return false }
            if let other = result.priority, other != priority {
                throw Self.contradiction(kind, String(word.text), result)
            }
            result.priority = priority
        case .list:
            guard let list = self.list(name) else {
                if name.first?.isLetter == true { result.unknownLists.append(self.unknownList(String(name))) }
                return false
            }
            if let other = result.list, other != list {
                throw Self.contradiction(kind, String(word.text), result)
            }
            result.list = list
        case .alarm:
            guard let alarms = AlarmFormatter.choices(String(name)) else { return false }
            result.add(alarms)
        default:
            let isQuoted = name.endIndex < word.text.endIndex
            // `+a,b` has two labels, as in `edit`.
            let names = isQuoted || sign == "#" ? [name] : name.split(separator: ",", omittingEmptySubsequences: false)
            let labels = names.compactMap { self.label($0, isQuoted: isQuoted) }
            guard labels.count == names.count else { return false }
            result.labels += labels
            // `#Work` is a project in Todoist.
            if sign == "#", let list = self.list(name) { result.listsOfLabels.append(list) }
        }
        result.removed.append(.init(kind: kind, words: [word.text]))
        return true
    }

    private func unknownList(_ name: String) -> ParsedTitle.UnknownList {
        let names = self.listNames.map { $0.lowercased() }
        // With two wrong letters, a word of four letters is similar to unrelated names.
        let near = Spelling.nearest(to: name, among: names, slips: name.count > 4 ? 2 : 1)
        let nearest = near.flatMap { word in self.listNames.first { $0.lowercased() == word } }
        return ParsedTitle.UnknownList(name: name, nearest: nearest)
    }

    private static let kindsOfMarks: [Character: ParsedTitle.Kind] = [
        "#": .label, "+": .label, "!": .priority, "p": .priority, "@": .list, "*": .alarm,
    ]

    static func contradiction(
        _ kind: ParsedTitle.Kind,
        _ text: String,
        _ result: ParsedTitle
    ) -> PhraseError {
        let first = result.removed.first { $0.kind == kind }?.text ?? ""
        let nouns: [ParsedTitle.Kind: String] = [.list: "lists", .due: "dates", .rule: "repetitions"]
        let noun = nouns[kind] ?? "priorities"
        return PhraseError(
            .badValue,
            "The title contains two \(noun), '\(first)' and '\(text)'. Remove one, or keep both in the title "
                + "with --literal."
        )
    }

    /// Parses the label of `#home`, `+home` or `#"two words"`.
    ///
    /// Without quotation marks a label begins with a letter, because `#1` is a number, and `#F0A` is a colour.
    private func label(_ name: Substring, isQuoted: Bool) -> String? {
        guard isQuoted || Self.isWord(name) && !Self.isColor(name) else { return nil }
        // `none` is no label, because `--label none` means no labels.
        return name.lowercased() == "none" ? nil : try? Label.checked(name: String(name))
    }

    /// Finds the list of `@groceries`; case matters only if two lists have names that differ only in case.
    func list(_ name: Substring) -> String? {
        let name = String(name)
        if let list = self.lists.named(name) { return list }
        let similar = self.lists.similar(to: name)
        return similar.count == 1 ? similar[0] : nil
    }

    /// Whether the name begins with a letter, ends with a letter or digit, and has only these marks: `-_/.&+'`, `’`.
    private static func isWord(_ name: Substring) -> Bool {
        name.first?.isLetter ?? false && name.last.map { $0.isLetter || $0.isNumber } ?? false
            && name.allSatisfy { $0.isLetter || $0.isNumber || "-_/.&+'\u{2019}".contains($0) }
    }

    /// Whether the name is three or six hexadecimal digits with at least one decimal digit; `#decade` is a word.
    private static func isColor(_ name: Substring) -> Bool {
        [3, 6].contains(name.utf8.count) && name.allSatisfy(\.isHexDigit) && name.contains { $0.isPhraseDigit }
    }
}

/// A parsed title: `Call Ben tomorrow 9am #home !high every monday`.
///
/// Laws: the title and the removed parts together contain each word of the line, except a comma before a phrase at the
/// end. A second parse of the resulting title removes nothing.
package struct ParsedTitle: Hashable, Sendable {
    /// The meanings that words of the line can have besides the title.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case label, priority, list, alarm, due, rule
    }

    package struct RemovedPart: Hashable, Sendable {
        package let kind: Kind
        /// The removed words in the order of the line, at least one; they are substrings and keep the line's indices.
        package let words: [Substring]
        package var text: String { self.words.joined(separator: " ") }
    }

    /// The remaining words; the whole line if no word was removed.
    package var title: String
    /// Labels that differ only in case occur once.
    package var labels: [String] = []
    package var priority: Priority?
    /// The name of an existing list, in the spelling of the stored list.
    package var list: String?
    /// The alarms of `*15m`; empty for `*none`, and `nil` without this marker.
    package var alarms: [AlarmChoice]?
    package var when: When?
    package var rule: RecurrenceRule?
    /// The end of the rule, if it depends on the first date or on the current day.
    package var end: OpenEnd?
    /// Whether ``when`` is only the earliest time for the rule's dates, as in `every monday starting 1 may`.
    package var isStart = false
    /// The removed parts in the order of the line.
    package var removed: [RemovedPart] = []
    /// Whether the reminder must get no default due time, because the remaining words of the title may mean a date.
    package var isUndated = false
    /// The words that keep a date in the title, if ``isUndated`` is true and other words are the reason.
    package var obstacle: DateObstacle?
    /// A phrase that stays in the title, because it does not stand at its end.
    package var unread: UnreadPart?
    /// The names after `@` for which no list exists; they stay in the title.
    package var unknownLists: [UnknownList] = []
    /// The lists with the name of a label after `#`.
    package var listsOfLabels: [String] = []

    package struct UnreadPart: Hashable, Sendable {
        package let text: String
        /// Whether `edit` accepts the words as a due time or a repetition.
        package let isValid: Bool
        /// Whether the words name a past date.
        package let isPast: Bool
    }

    package struct UnknownList: Hashable, Sendable {
        package let name: String
        /// The list with the most similar name; `nil` if no name is similar.
        package let nearest: String?
    }

    package init(title: String) { self.title = title }

    mutating func add(_ alarms: [AlarmChoice]) {
        self.alarms = (self.alarms ?? []) + alarms.filter { !(self.alarms ?? []).contains($0) }
    }
}
