import RemindavBridge
import RemindavICalendar
import RemindavReminders

/// A row has the number, the date, the priority and the title; then the tail: marks, state, labels and list.
///
/// The title has precedence over the tail. If both do not fit into the width, a tail of up to a third of the room
/// stays behind a shortened title; a longer tail continues on the next line, below the title, without a break inside
/// a part.
extension ListPrinter {
    /// A narrower terminal gets the short form of dates and no column for priorities.
    private static let narrowColumns = 60
    /// If less room remains for the title, the date is the first part of the tail.
    private static let minimumTitleColumns = 16
    /// The maximum depth of the indentation of subtasks; more would leave no room for the title.
    private static let deepestIndentation = 5
    /// The maximum number of labels in a row.
    private static let labelLimit = 5
    /// The maximum width of the name of a label or a list in a row.
    private static let nameColumns = 24

    /// The columns that all rows of a listing share.
    struct Layout {
        fileprivate let idColumns: Int
        /// The spaces before and after the number, and after the date.
        fileprivate let (margin, gap): (Int, Int)
        fileprivate let dates: ListDates
        /// The width of the column of dates; 0 without a date, and if the date belongs to the tail.
        fileprivate let dateColumns: Int
        fileprivate let hasDateInTail: Bool
        /// The width of the column of priorities; 0 if the marks of priorities stand directly before the titles.
        fileprivate let priorityColumns: Int
        fileprivate let hasSeveralLists: Bool
        fileprivate let nameColumns: Int
        /// The columns before the title, without a priority directly before it.
        let indent: Int
        /// The columns before the text below the title.
        let textIndent: Int
    }

    func layout(_ reminders: [ReminderView]) -> Layout {
        let isNarrow = self.columns < Self.narrowColumns
        let dates = ListDates(self.text, isShort: isNarrow)
        var (highest, hasPriorities, hasSeveralLists) = (reminders.first?.id ?? 0, false, false)
        let first = reminders.first?.list ?? ""
        var kinds = ListDates.Kinds()
        // A span lends the fields of each reminder; a loop over the array or a call would copy the whole reminder.
        let span = reminders.span
        for index in span.indices {
            highest = max(highest, span[index].id)
            hasPriorities = hasPriorities || span[index].priority != .undefined
            hasSeveralLists = hasSeveralLists || span[index].list != first
            let isDone = span[index].group == .completed
            let isSnoozed = !isDone && span[index].isSnoozed
            let due = isSnoozed ? nil : span[index].dueInstant
            if let moment = isDone ? span[index].completedInstant : due ?? span[index].snoozedInstant {
                dates.note(moment, isDay: !isDone && !isSnoozed && span[index].dueDay != nil, in: &kinds)
            }
        }
        let idColumns = String(highest).utf8.count
        let (margin, gap) = isNarrow ? (0, 1) : (2, 2)
        let dateColumns = dates.columns(kinds)
        let priorityColumns = hasPriorities && !isNarrow ? 4 : 0
        let textIndent = margin + idColumns + gap
        let whole = textIndent + (dateColumns > 0 ? dateColumns + gap : 0) + priorityColumns
        let hasDateInTail = dateColumns > 0 && self.columns - whole < Self.minimumTitleColumns
        let indent = hasDateInTail ? textIndent : whole
        return Layout(
            idColumns: idColumns,
            margin: margin,
            gap: gap,
            dates: dates,
            dateColumns: hasDateInTail ? 0 : dateColumns,
            hasDateInTail: hasDateInTail,
            priorityColumns: priorityColumns,
            hasSeveralLists: hasSeveralLists,
            nameColumns: max(min(Self.nameColumns, self.columns - indent - 2), 1),
            indent: indent,
            textIndent: textIndent
        )
    }

    /// Adds a row; words of `query` are highlighted in the title, and all rows share the buffer `tail`.
    func add(
        _ reminder: ReminderView,
        _ layout: Layout,
        _ query: SearchQuery? = nil,
        to result: inout StyledText,
        _ tail: inout RowTail
    ) {
        self.fill(&tail, reminder, layout)
        let start = result.byteCount
        let id = String(reminder.id)
        result.append(spaces: layout.margin + layout.idColumns - id.utf8.count)
        result.append(id)
        result.append(spaces: layout.gap)
        if layout.dateColumns > 0 {
            let beginning = result.byteCount
            Self.addDate(reminder, layout, to: &result)
            // A printed date has only ASCII characters, so each byte takes one column.
            result.append(spaces: beginning + layout.dateColumns - result.byteCount + layout.gap)
        }
        let mark = Self.priorityMark(reminder.priority)
        result.append(mark)
        if layout.priorityColumns > 0 {
            result.append(spaces: layout.priorityColumns - mark.utf8.count)
        } else if !mark.isEmpty {
            result.append(spaces: 1)
        }
        result.append(spaces: layout.gap * min(reminder.depth, Self.deepestIndentation))
        let room = self.columns - (result.byteCount - start)
        self.add(Sanitizer.title(reminder.title), self.style(reminder), query, room, layout, tail, to: &result)
    }

    private func add(
        _ title: String,
        _ style: TextStyle?,
        _ query: SearchQuery?,
        _ room: Int,
        _ layout: Layout,
        _ tail: RowTail,
        to result: inout StyledText
    ) {
        let isShortened = tail.columns <= room / 3
        if isShortened || DisplayWidth.fits(title, into: room - tail.columns) {
            let shown = isShortened ? DisplayWidth.fit(title, into: room - tail.columns) : title
            self.addMarked(shown, query, style, to: &result)
            return result += tail.text
        }
        let shown = DisplayWidth.fit(title, into: max(room, 1))
        self.addMarked(shown, query, style, to: &result)
        tail.flow(behind: self.columns - room + DisplayWidth.columns(shown), self.columns, layout.indent, to: &result)
    }

    private static func addDate(_ reminder: ReminderView, _ layout: Layout, to text: inout StyledText) {
        guard let moment = reminder.shownMoment else { return }
        layout.dates.add(moment, day: reminder.shownDay, isAligned: !layout.hasDateInTail, to: &text)
    }

    private static func priorityMark(_ priority: Priority) -> String {
        switch priority {
        case .undefined: ""
        case .low: "!"
        case .medium: "!!"
        case .high: "!!!"
        }
    }

    private func style(_ reminder: ReminderView) -> TextStyle? {
        reminder.section != .completed && reminder.priority == .high ? .important : nil
    }

    /// Replaces the content of `tail` by the parts of a reminder, the most important first.
    private func fill(_ tail: inout RowTail, _ reminder: ReminderView, _ layout: Layout) {
        tail.removeAll()
        if layout.hasDateInTail, reminder.shownMoment != nil {
            tail.begin(spaces: 2)
            Self.addDate(reminder, layout, to: &tail.text)
            tail.end()
        }
        for mark in RowMark.allCases where mark.applies(to: reminder) {
            tail.add(mark.symbol(isASCII: self.hasASCIIMarks), columns: 1, spaces: 1)
        }
        if reminder.depth == 0, let parent = reminder.parentID { tail.add("of \(parent)") }
        if reminder.overdue { tail.add("overdue", .warning) }
        if reminder.isSnoozed, reminder.section != .completed { tail.add("snoozed") }
        if reminder.startsLater, let start = reminder.startInstant {
            tail.begin(spaces: 2)
            tail.text.append("starts ")
            layout.dates.add(start, day: reminder.startDay, isAligned: false, to: &tail.text)
            tail.end()
        }
        if reminder.isBlocked { tail.add("blocked") }
        if reminder.status == .inProgress { tail.add("in progress") }
        if reminder.status == .cancelled { tail.add("cancelled") }
        for (index, label) in reminder.labels.prefix(Self.labelLimit).enumerated() {
            tail.begin(spaces: index == 0 ? 2 : 1)
            tail.text.append("#", self.labelStyles.isEmpty ? nil : self.labelStyles[LabelKey(label)])
            let name = Self.fitted(label, layout)
            tail.text.append(name)
            tail.end(columns: 1 + DisplayWidth.columns(name))
        }
        if reminder.labels.count > Self.labelLimit {
            tail.add("+\(reminder.labels.count - Self.labelLimit)", spaces: 1)
        }
        if layout.hasSeveralLists {
            let name = Self.fitted(reminder.list, layout)
            tail.begin(spaces: reminder.labels.isEmpty ? 2 : 1)
            tail.text.append("(")
            tail.text.append(name)
            tail.text.append(")")
            tail.end(columns: 2 + DisplayWidth.columns(name))
        }
    }

    private static func fitted(_ name: String, _ layout: Layout) -> String {
        DisplayWidth.fit(Sanitizer.line(name), into: layout.nameColumns)
    }
}

/// The part of a row after the title.
struct RowTail {
    fileprivate var text = StyledText()
    private var parts: [(bytes: Range<Int>, columns: Int)] = []
    private var beginning = 0
    fileprivate private(set) var columns = 0

    fileprivate mutating func removeAll() {
        self.text.removeAll()
        self.parts.removeAll(keepingCapacity: true)
        self.columns = 0
    }

    /// Begins a part; the spaces before it are omitted at the beginning of a line.
    fileprivate mutating func begin(spaces: Int) {
        self.text.append(spaces: spaces)
        self.columns += spaces
        self.beginning = self.text.byteCount
    }

    /// - Parameter columns: the width of the part; `nil` for ASCII characters, which have one column for each byte.
    fileprivate mutating func end(columns: Int? = nil) {
        let bytes = self.beginning..<self.text.byteCount
        self.parts.append((bytes, columns ?? bytes.count))
        self.columns += columns ?? bytes.count
    }

    fileprivate mutating func add(_ words: String, _ style: TextStyle? = nil, columns: Int? = nil, spaces: Int = 2) {
        self.begin(spaces: spaces)
        self.text.append(words, style)
        self.end(columns: columns)
    }

    /// Adds the parts to a line that has `used` columns, and to further lines with `indent` spaces before them.
    fileprivate func flow(behind used: Int, _ width: Int, _ indent: Int, to result: inout StyledText) {
        var (used, end) = (used, 0)
        for part in self.parts {
            let spaces = part.bytes.lowerBound - end
            if used + spaces + part.columns <= width {
                result.append(end..<part.bytes.upperBound, of: self.text)
                used += spaces + part.columns
            } else {
                result.append("\n")
                result.append(spaces: indent)
                result.append(part.bytes, of: self.text)
                used = indent + part.columns
            }
            end = part.bytes.upperBound
        }
    }
}

extension ReminderView {
    /// The moment in the row of a reminder: its due time, the end of its snooze, or the time of its completion.
    fileprivate var shownMoment: Instant? {
        self.section == .completed ? self.completedInstant : self.effectiveInstant
    }

    /// The date in the row of an all-day reminder; `nil` if the row shows a moment.
    fileprivate var shownDay: CalendarDate? {
        self.section == .completed || self.isSnoozed ? nil : self.dueDay
    }
}
