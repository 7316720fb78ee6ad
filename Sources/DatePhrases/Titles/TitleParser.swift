package import ICalendar
import Reminders

/// Parses a title that is typed as one line.
///
/// Markers are valid at any place, a time and a rule only at the end of the rest. If no title would be left, nothing is
/// removed. docs/decisions/0021-parsing-a-title.md has the reasons.
package struct TitleParser {
    /// The kinds to look for: those without an option on the command line.
    private let kinds: Set<ParsedTitle.Kind>
    private let lists: [String]
    private let now: Instant
    private let zone: LocalZone

    package init(kinds: Set<ParsedTitle.Kind>, lists: [String], now: Instant, zone: LocalZone) {
        self.kinds = kinds
        self.lists = lists
        self.now = now
        self.zone = zone
    }

    /// - Throws: if two markers contradict each other, if a phrase is impossible or ambiguous, or if its time is past.
    package func read(_ line: String) throws(PhraseError) -> ParsedTitle {
        var result = ParsedTitle(title: line)
        var rest: [TitleTokens.Word] = []
        let marks = TitleMarkers(lists: self.lists)
        for word in TitleTokens(line).words {
            if try !self.consume(word, marks, into: &result) { rest.append(word) }
        }
        var seen: Set<LabelKey> = []
        result.labels = result.labels.filter { seen.insert(LabelKey($0)).inserted }
        try self.readPhrases(of: rest, in: line, into: &result)
        guard !result.taken.isEmpty else { return result }
        guard (try? Reminder.checked(title: result.title)) != nil else {
            var whole = ParsedTitle(title: line)
            whole.isUndated = result.isUndated || result.when != nil
            return whole
        }
        result.taken.sort { $0.words[0].startIndex < $1.words[0].startIndex }
        return result
    }

    private func reader(_ words: [TitleTokens.Word]) -> TrailingPhraseReader {
        let year = self.zone.wallClock(at: self.now).date.year
        return TrailingPhraseReader(words: words, kinds: self.kinds, year: year, isBygone: { self.isBygone($0) })
    }

    /// Parses the phrase at the end, or otherwise the only full date at another place.
    private func readPhrases(
        of rest: [TitleTokens.Word],
        in line: String,
        into result: inout ParsedTitle
    ) throws(PhraseError) {
        let reader = self.reader(rest)
        let phrase = try reader.read()
        let dateRest = reader.dateRest(
            before: phrase?.start ?? rest.count,
            namesDay: phrase.map(TrailingPhraseReader.namesDay) ?? false
        )
        // `Meeting 03/04 9am`: the time belongs to a day that cannot be parsed, not to another day.
        let tail = dateRest == nil ? phrase : nil
        if tail == nil, let date = reader.onlyFullDate(),
            reader.dateRest(before: date.words.lowerBound, namesDay: true) == nil
        {
            let left = Array(rest[..<date.words.lowerBound] + rest[date.words.upperBound...])
            // Nothing more may be found in the title.
            if !left.isEmpty, try self.reader(left).read() == nil, !self.reader(left).endsInPhrase {
                result.when = date.when
                result.taken.append(.init(kind: .due, words: rest[date.words].map(\.text)))
                try self.checkIsAhead(date.when, rest[date.words])
                result.title = Self.title(line, left.map(\.text), hasTail: date.words.upperBound == rest.count)
                return
            }
        }
        let isUnread = phrase == nil && reader.mayNameDate
        result.isUndated =
            tail == nil && self.kinds.contains(.due) && (isUnread || dateRest != nil || reader.endsInPhrase)
        if let (when, words) = tail?.due {
            result.when = when
            result.taken.append(.init(kind: .due, words: rest[words].map(\.text)))
            try self.checkIsAhead(when, rest[words])
        }
        if let (rule, words) = tail?.rule {
            result.rule = rule
            result.taken.append(.init(kind: .rule, words: words.flatMap { rest[$0].map(\.text) }))
        }
        guard !result.taken.isEmpty else { return }
        result.isStart = tail?.isStart ?? false
        result.title = Self.title(line, rest[..<(tail?.start ?? rest.count)].map(\.text), hasTail: tail != nil)
    }

    private func consume(
        _ word: TitleTokens.Word,
        _ marks: TitleMarkers,
        into result: inout ParsedTitle
    ) throws(PhraseError) -> Bool {
        guard case .mark(let sign, let name) = word.form else { return false }
        let kind: ParsedTitle.Kind
        if sign == "#", let label = marks.label(name, isQuoted: name.endIndex < word.text.endIndex) {
            kind = .label
            guard self.kinds.contains(kind) else { return false }
            result.labels.append(label)
        } else if sign == "!", let priority = marks.priority(name) {
            kind = .priority
            guard self.kinds.contains(kind) else { return false }
            if let other = result.priority, other != priority { throw Self.contradiction(kind, word, result) }
            result.priority = priority
        } else if sign == "@", let list = marks.list(name) {
            kind = .list
            guard self.kinds.contains(kind) else { return false }
            if let other = result.list, other != list { throw Self.contradiction(kind, word, result) }
            result.list = list
        } else {
            return false
        }
        result.taken.append(.init(kind: kind, words: [word.text]))
        return true
    }

    private static func contradiction(
        _ kind: ParsedTitle.Kind,
        _ word: TitleTokens.Word,
        _ result: ParsedTitle
    ) -> PhraseError {
        let first = result.taken.first { $0.kind == kind }?.text ?? ""
        let noun = kind == .list ? "lists" : "priorities"
        return PhraseError(
            .badValue,
            "The title contains two \(noun), '\(first)' and '\(word.text)'. Remove one, or keep both in the title "
                + "with --literal."
        )
    }

    /// Whether it is a full date or an instant in the past: then it belongs to the title.
    private func isBygone(_ when: When) -> Bool {
        switch when {
        case .day(.date, _), .exact: return self.isOver(when)
        default: return false
        }
    }

    private func isOver(_ when: When) -> Bool {
        guard let due = when.resolved(now: self.now, zone: self.zone) else { return false }
        return (try? due.checkedToBeInFuture(now: self.now, zone: self.zone)) == nil
    }

    private func checkIsAhead(_ when: When, _ words: ArraySlice<TitleTokens.Word>) throws(PhraseError) {
        do throws(PhraseError) {
            _ = try when.resolved(now: self.now, zone: self.zone)?.checkedToBeInFuture(now: self.now, zone: self.zone)
        } catch {
            let text = words.map { String($0.text) }.joined(separator: " ")
            throw PhraseError(
                error.code,
                "\(error.sentence) '\(text)' at the end of the title means that time. --literal keeps the "
                    + "title unchanged."
            )
        }
    }

    /// The remaining words with the original blanks between them, without blanks at the ends.
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
        // `Call Ben, tomorrow`: the comma belongs to the phrase.
        if hasTail, title.hasSuffix(",") { title.removeLast() }
        return title
    }
}
