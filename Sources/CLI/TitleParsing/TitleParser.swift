import Bridge
import ICalendar

/// Reads a title that was typed as one line.
///
/// Marks are taken wherever they stand; a time and a rule only at the end of what is left. What would leave no title
/// takes nothing. docs/decisions/0021-parsing-a-title.md has the reasons.
struct TitleParser {
    /// What may be taken; an option that was given has said the rest.
    let kinds: Set<ParsedTitle.Kind>
    /// The names of the lists that there are.
    let lists: [String]
    let now: Instant
    let zone: LocalZone

    /// - Throws: when two marks contradict each other, when a phrase cannot be or can be several things, and when it
    ///   means a time that is over.
    func read(_ line: String) throws(UsageError) -> ParsedTitle {
        var result = ParsedTitle(title: line)
        var rest: [TitleTokens.Word] = []
        let marks = TitleMarkers(lists: self.lists)
        for word in TitleTokens(line).words {
            if try !self.takes(word, marks, into: &result) { rest.append(word) }
        }
        result.labels = try ArgumentValues.labels(result.labels)
        try self.readPhrases(of: rest, in: line, into: &result)
        if let hint = self.hintOfList(rest, marks, result) { result.hints.append(hint) }
        guard !result.taken.isEmpty else { return result }
        guard (try? ArgumentValues.title(result.title)) != nil else {
            return ParsedTitle(title: line, isUndated: result.isUndated || result.when != nil)
        }
        result.taken.sort { $0.words[0].startIndex < $1.words[0].startIndex }
        return result
    }

    private func reader(_ words: [TitleTokens.Word]) -> TrailingPhraseReader {
        let year = self.zone.wallClock(at: self.now).date.year
        return TrailingPhraseReader(words: words, kinds: self.kinds, year: year, isBygone: { self.isBygone($0) })
    }

    /// Reads the phrase at the end, or else the only full date elsewhere.
    private func readPhrases(
        of rest: [TitleTokens.Word],
        in line: String,
        into result: inout ParsedTitle
    ) throws(UsageError) {
        let reader = self.reader(rest)
        let phrase = try reader.read()
        let dateRest = reader.dateRest(
            before: phrase?.start ?? rest.count,
            namesDay: phrase.map(TrailingPhraseReader.namesDay) ?? false
        )
        // `Meeting 03/04 9am`: the time of a day that is not understood is no other day's.
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
        let hintOfRest = dateRest.flatMap { reader.hint(ofRest: $0, isAlways: phrase != nil) }
        let hint = (phrase == nil ? reader.hintOfDate(isRead: false) : nil) ?? hintOfRest
        result.hints = reader.hints(hint)
        result.isUndated =
            tail == nil && self.kinds.contains(.due) && (hint != nil || dateRest != nil || reader.endsInPhrase)
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

    /// A sentence about `@name` where no list, or more than one, has that name; `nil` where there is no such word.
    private func hintOfList(_ rest: [TitleTokens.Word], _ marks: TitleMarkers, _ result: ParsedTitle) -> String? {
        guard self.kinds.contains(.list) else { return nil }
        let word = rest.first { word in
            guard case .mark("@", let name) = word.form else { return false }
            return TitleMarkers.isWord(name) && !result.hints.contains { $0.contains("'\(word.text)'") }
        }
        guard let word, case .mark(_, let name) = word.form else { return nil }
        let problem = marks.hasSimilarLists(name) ? "More than one list is named" : "There is no list named"
        return "\(problem) '\(name)', so '\(word.text)' stays in the title."
    }

    private func takes(
        _ word: TitleTokens.Word,
        _ marks: TitleMarkers,
        into result: inout ParsedTitle
    ) throws(UsageError) -> Bool {
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
    ) -> UsageError {
        let first = result.taken.first { $0.kind == kind }?.text ?? ""
        let what = kind == .list ? "lists" : "priorities"
        return UsageError(
            .badValue,
            "The title names two \(what), '\(first)' and '\(word.text)': leave one out, or keep both in the title "
                + "with --literal."
        )
    }

    /// Whether it names a year, or a moment, and is over: then it says what the title is about.
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

    private func checkIsAhead(_ when: When, _ words: ArraySlice<TitleTokens.Word>) throws(UsageError) {
        do throws(UsageError) {
            _ = try when.resolved(now: self.now, zone: self.zone)?.checkedToBeInFuture(now: self.now, zone: self.zone)
        } catch {
            let text = words.map { String($0.text) }.joined(separator: " ")
            throw UsageError(
                error.code,
                "\(error.sentence) '\(text)' at the end of the title was read as that time; --literal keeps the "
                    + "title as it is."
            )
        }
    }

    /// The words that are left, with the blanks between them as they were; none where words were taken at an end.
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
        // `Call Ben, tomorrow`: the comma was the phrase's.
        if hasTail, title.hasSuffix(",") { title.removeLast() }
        return title
    }
}
