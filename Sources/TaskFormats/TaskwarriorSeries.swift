import RemindavICalendar
import RemindavJSON
import RemindavReminders

/// The tasks of one series: its template, and the open occurrences that Taskwarrior made of it.
///
/// The series has the data of the template, and the dates of the first open occurrence without data of its own. The later
/// occurrences are left out, because the rule generates them. An occurrence with another title, with a date outside the
/// rule, or with data that the template lacks becomes a reminder of its own, and the series skips its date.
struct TaskwarriorSeries {
    /// The places in the array of all tasks; `template` is `nil` if the file lacks the template.
    private(set) var template: Int?
    /// The open occurrence that becomes the series; `nil` if each of them becomes a reminder of its own.
    private(set) var first: Int?
    private(set) var leftOut: Set<Int> = []
    private var alone: [Int] = []
    private var grid: TaskwarriorGrid?

    /// - Parameter open: the places of the open occurrences, in the order of their due times.
    fileprivate init(template: Int?, open: [Int], in tasks: [TaskwarriorTask], _ context: ImportContext) {
        self.template = template
        let base = (template ?? open.first).map { tasks[$0] }
        self.grid = template.flatMap { TaskwarriorGrid(tasks[$0].todo, context) }
        let known = base?.data ?? []
        for index in open {
            let task = tasks[index]
            let isRegular = task.todo.title == base?.todo.title && self.grid?.contains(task.todo.due) ?? true
            // The series can be in progress, but it generates pending occurrences.
            let data = self.first == nil ? task.data.filter { !$0.hasPrefix("start:") } : task.data
            if !isRegular || !data.isSubset(of: known) {
                self.alone.append(index)
            } else if self.first == nil {
                self.first = index
            } else {
                self.leftOut.insert(index)
            }
        }
    }

    /// The series of a file; the keys are the identifiers of the templates.
    static func found(in tasks: [TaskwarriorTask], _ context: ImportContext) -> [String: Self] {
        var open: [String: [Int]] = [:]
        var templates: [String: Int] = [:]
        for (index, task) in tasks.enumerated() {
            if task.isTemplate {
                if templates[task.id] == nil { templates[task.id] = index }
            } else if let parent = task.parent, !task.todo.status.isClosed, !task.isDeleted {
                open[parent, default: []].append(index)
            }
        }
        var found: [String: Self] = [:]
        for id in Set(open.keys).union(templates.keys) {
            let ordered = (open[id] ?? []).sorted {
                (tasks[$0].todo.due?.localSeconds ?? .max, $0) < (tasks[$1].todo.due?.localSeconds ?? .max, $1)
            }
            found[id] = Self(template: templates[id], open: ordered, in: tasks, context)
        }
        return found
    }

    /// The reminder with the UID `uid` that the series becomes; `nil` without a template and a first occurrence.
    func reminder(_ uid: String, _ tasks: [TaskwarriorTask]) -> ImportedTask? {
        guard let base = self.first ?? self.template else { return nil }
        var todo = tasks[base].todo
        if let template = self.template.map({ tasks[$0] }) {
            let occurrence = todo
            todo = template.todo
            todo.due = occurrence.due ?? todo.due
            (todo.start, todo.updatedAt, todo.status) = (occurrence.start, occurrence.updatedAt, occurrence.status)
            todo.extra += occurrence.extra.filter { $0.name == TaskwarriorTask.startProperty && self.first != nil }
            if self.first == nil {
                if let due = self.grid?.slot(self.nextPlace(of: template, tasks)) { todo.due = due }
            }
        }
        // A moved occurrence changes the series, because the series skips its date.
        todo.updatedAt = ([todo.updatedAt] + self.others.map { tasks[$0].todo.updatedAt }).compactMap { $0 }.max()
        todo.uid = uid
        let occurrences = [self.first].compactMap { $0 } + self.leftOut.sorted { self.order($0, $1, tasks) }
        let parts = [self.template].compactMap { $0 } + occurrences
        todo.record = parts.flatMap { tasks[$0].todo.record }
        todo.fitMonthEnd(to: self.grid?.anchor ?? todo.due)
        if let line = self.skippedDates(of: todo, tasks) { todo.extra.append(line) }
        return todo
    }

    /// The template and the occurrences that are reminders of their own.
    private var others: [Int] { [self.template].compactMap { $0 } + self.alone }

    private func order(_ lhs: Int, _ rhs: Int, _ tasks: [TaskwarriorTask]) -> Bool {
        (tasks[lhs].todo.due?.localSeconds ?? .max, lhs) < (tasks[rhs].todo.due?.localSeconds ?? .max, rhs)
    }

    /// The place of the first occurrence that is not closed and is no reminder of its own.
    private func nextPlace(of template: TaskwarriorTask, _ tasks: [TaskwarriorTask]) -> Int {
        let separate = self.alone.compactMap { tasks[$0].place }
        let mask = Array(template.mask.utf8.prefix(TaskwarriorGrid.maximumPlace))
        let end = max(mask.count, (separate.max() ?? -1) + 1)
        // An occurrence without a place may be any open one, so the series begins after all.
        guard separate.count == self.alone.count else { return max(end, self.alone.count) }
        let taken = Set(separate)
        let open = [UInt8(ascii: "-"), UInt8(ascii: "W")]
        return mask.indices.first { open.contains(mask[$0]) && !taken.contains($0) } ?? end
    }

    /// The later dates of the rule without an open occurrence of the series: the occurrences that are reminders of their
    /// own, and those that Taskwarrior completed or deleted.
    private func skippedDates(of todo: ImportedTask, _ tasks: [TaskwarriorTask]) -> ContentLine? {
        guard todo.rule != nil, let due = todo.due else { return nil }
        let dates = Set(
            self.alone.compactMap { index -> CalendarDateOrDateTime? in
                let own = tasks[index].todo.due
                if self.grid?.contains(own) ?? true { return own }
                return tasks[index].place.flatMap { self.grid?.slot($0) }
            }
        )
        let closed = self.template.map { self.closedDates(of: tasks[$0], due) } ?? []
        let later = dates.union(closed).filter { $0.isDate == due.isDate && $0.localSeconds > due.localSeconds }
            .sorted { $0.localSeconds < $1.localSeconds }
        guard let first = later.first else { return nil }
        let line = ContentLine(.exdate, moment: first)
        return ContentLine(.exdate, line.parameters, value: later.map(\.wire).joined(separator: ","))
    }

    /// The dates of the occurrences after `due` that the mask of the template marks as completed or deleted.
    private func closedDates(of template: TaskwarriorTask, _ due: CalendarDateOrDateTime) -> [CalendarDateOrDateTime] {
        guard let grid = self.grid else { return [] }
        let marks = template.mask.utf8.prefix(TaskwarriorGrid.maximumPlace).enumerated()
        let places = marks.filter { TaskwarriorTask.closedMarks.contains($0.element) }.map(\.offset)
        return places.lazy.compactMap { grid.slot($0, atTimeOf: due) }
            .filter { $0.localSeconds > due.localSeconds }.prefix(ImportLimits.standard.perTask)
            .map { $0 }
    }
}

/// The due times that Taskwarrior computes for the occurrences of a series.
struct TaskwarriorGrid {
    /// The due time of the template, which is the first one.
    let anchor: CalendarDateOrDateTime
    private let rule: RecurrenceRule
    private let context: ImportContext

    /// The maximum number of occurrences that are counted; a hostile file could state any number.
    static let maximumPlace = 100_000

    init(anchor: CalendarDateOrDateTime, _ rule: RecurrenceRule, _ context: ImportContext) {
        self.anchor = anchor
        self.rule = rule
        self.context = context
    }

    /// - Returns: `nil` if the template has no due time or no readable rule.
    init?(_ template: ImportedTask, _ context: ImportContext) {
        guard let anchor = template.due, let rule = template.rule else { return nil }
        self.init(anchor: anchor, rule, context)
    }

    /// The due time at a place, counted from 0; `nil` beyond the year 9999 or ``maximumPlace``.
    ///
    /// A month without the day of the template gives its last day.
    func slot(_ place: Int) -> CalendarDateOrDateTime? {
        guard (0...Self.maximumPlace).contains(place) else { return nil }
        if place == 0 { return self.anchor }
        let day = self.anchor.day
        if let months = self.months { return self.moment(day.adding(months: place * months)) }
        if !self.rule.byDay.isEmpty {
            let first = day.weekday.days(after: .monday)
            // A template on Saturday or Sunday is followed by the Monday.
            let count = first < Self.workdays ? first + place : Self.workdays + place - 1
            let days = count / Self.workdays * 7 + count % Self.workdays - first
            return self.moment(day.adding(days: days))
        }
        let seconds = self.anchor.localSeconds + Int64(place) * self.period
        guard case .dateTime(let time) = self.anchor else { return .date(day.adding(days: place * self.days)) }
        return .dateTime(CalendarDateTime(localSeconds: seconds, zone: time.zone))
    }

    /// The due time at a place, with the time of day of `due`, which differs by an hour in the other part of the year.
    func slot(_ place: Int, atTimeOf due: CalendarDateOrDateTime) -> CalendarDateOrDateTime? {
        let slot = self.slot(place)
        guard self.rule.frequency >= .daily, case .dateTime(let time) = due, case .dateTime(let moved)? = slot else {
            return slot
        }
        return .dateTime(CalendarDateTime(date: moved.date, time: time.time, zone: moved.zone))
    }

    /// Whether Taskwarrior computed this due time; otherwise the user moved the occurrence.
    ///
    /// Taskwarrior adds days and weeks as seconds, so the local time changes with daylight saving time. From the last day
    /// of a short month, it continues with this day in longer months.
    func contains(_ due: CalendarDateOrDateTime?) -> Bool {
        guard let due else { return true }
        let seconds = due.localSeconds - self.anchor.localSeconds
        let isSameTime = seconds.isMultiple(of: Self.day)
        if let months = self.months {
            let (from, to) = (self.anchor.day, due.day)
            let count = (to.year - from.year) * 12 + to.month - from.month
            let isDay = to.day == from.day || from.day > Self.shortestMonth && Self.shortestMonth...from.day ~= to.day
            return isSameTime && isDay && count.isMultiple(of: months)
        }
        let exact = self.context.instant(of: due).flatMap { end in
            self.context.instant(of: self.anchor).map { end.secondsSince1970 - $0.secondsSince1970 }
        }
        if !self.rule.byDay.isEmpty {
            let isWorkday = due.day.weekday.days(after: .monday) < Self.workdays
            return (isSameTime || exact?.isMultiple(of: Self.day) ?? false) && (isWorkday || due == self.anchor)
        }
        return seconds.isMultiple(of: self.period) || exact?.isMultiple(of: self.period) ?? false
    }

    private static let day: Int64 = 86_400
    private static let workdays = 5
    static let shortestMonth = 28

    /// The length of the period in months; `nil` for a period in days or less.
    private var months: Int? {
        switch self.rule.frequency {
        case .monthly: self.rule.interval
        case .yearly: self.rule.interval * 12
        default: nil
        }
    }

    private var days: Int { Int(self.period / Self.day) }

    /// The length in seconds of a period of weeks or less.
    private var period: Int64 {
        let unit: Int64 =
            switch self.rule.frequency {
            case .secondly: 1
            case .minutely: 60
            case .hourly: 3600
            case .weekly: 7 * Self.day
            case .daily, .monthly, .yearly: Self.day
            }
        return unit * Int64(self.rule.interval)
    }

    private func moment(_ date: CalendarDate) -> CalendarDateOrDateTime {
        guard case .dateTime(let time) = self.anchor else { return .date(date) }
        return .dateTime(CalendarDateTime(date: date, time: time.time, zone: time.zone))
    }
}

extension ImportedTask {
    /// Makes a monthly rule fall on the last day of a month without the day of `anchor`, as Taskwarrior does.
    ///
    /// Without this, RRULE skips such months (RFC 5545 §3.3.10).
    mutating func fitMonthEnd(to anchor: CalendarDateOrDateTime?) {
        guard let day = anchor?.day, let due = self.due?.day, var rule = self.rule, rule.byMonthDay.isEmpty else {
            return
        }
        let last = CalendarDate.daysInMonth(due.month, year: due.year)
        // From the last day of a short month, Taskwarrior continues with this day.
        guard day.day > TaskwarriorGrid.shortestMonth, due.day == min(day.day, last) else { return }
        switch rule.frequency {
        case .monthly where day.day == 31: rule.byMonthDay = [-1]
        case .monthly:
            rule.byMonthDay = Array(TaskwarriorGrid.shortestMonth...day.day)
            rule.bySetPosition = [-1]
        case .yearly where day.month == 2:
            rule.byMonth = [.init(2)]
            rule.byMonthDay = [-1]
        default: return
        }
        self.rule = rule
    }
}

extension TaskwarriorTask {
    /// The members that differ between the occurrences of a series.
    private static let ofOccurrence: Set = [
        "id", "uuid", "parent", "status", "entry", "modified", "due", "wait", "scheduled", "until", "imask", "mask",
        "rtype", "template", "last", "urgency", "recur", "depends", TaskRecord.baseMember, TaskRecord.undatedMember,
    ]

    /// The names and values of the members that the occurrences of a series have in common.
    fileprivate var data: Set<String> {
        let members = self.todo.record.flatMap(\.sortedMembers).filter { !Self.ofOccurrence.contains($0.name) }
        return Set(members.map { "\($0.name):\($0.value.text)" })
    }
}

// Adds the tasks of a Taskwarrior file.
extension ImportedTaskBuilder {
    mutating func add(_ tasks: [TaskwarriorTask]) {
        var tasks = tasks
        self.separateUIDs(of: &tasks)
        let series = TaskwarriorSeries.found(in: tasks, self.context)
        for one in series.values {
            // The series gets the dependencies of its first open occurrence.
            guard let template = one.template, let first = one.first else { continue }
            tasks[template].todo.dependencies += tasks[first].todo.dependencies
        }
        self.name(dependenciesOf: &tasks, series)
        for (index, task) in tasks.enumerated() {
            let own = series[task.isTemplate ? task.id : task.parent ?? ""]
            if task.isDeleted {
                self.deleted.append(self.withoutRule(task.todo))
            } else if task.isTemplate || own?.first == index && own?.template == nil, let own {
                let uid = task.isTemplate ? task.todo.uid : self.uid(task.parent ?? "")
                if let todo = own.reminder(uid, tasks) { self.add(todo) }
            } else if let own, own.first == index || own.leftOut.contains(index) {
                self.leftOut += 1
            } else if task.todo.status.isClosed {
                self.add(self.withoutRule(task.todo))
            } else if own != nil {
                self.findings.add(.standsAlone, of: task.todo)
                self.add(self.withoutRule(task.todo))
            } else {
                // The task belongs to no series.
                var todo = task.todo
                if todo.record.first?["recur"] != nil { todo.fitMonthEnd(to: todo.due) }
                self.add(todo)
            }
        }
    }

    /// Gives an occurrence its own UID, because Taskwarrior copies the UID of the template to each occurrence.
    ///
    /// A file may lack the template, so its UID is also found by its identifier, which an export derives from the UID.
    /// An occurrence that was completed here is a reminder of its own, and keeps the UID that its export wrote.
    private func separateUIDs(of tasks: inout [TaskwarriorTask]) {
        let templates = Dictionary(
            tasks.filter(\.isTemplate).map { ($0.id, $0.todo.uid) },
            uniquingKeysWith: { first, _ in first }
        )
        for index in tasks.indices {
            let uid = tasks[index].todo.uid
            guard let parent = tasks[index].parent,
                uid == templates[parent] || TaskwarriorIdentifier.all(of: uid).contains(parent)
            else { continue }
            tasks[index].todo.uid = self.uid(tasks[index].id)
            tasks[index].todo.exported = nil
        }
    }

    /// In dependencies, replaces the UID of each occurrence that is not added itself by the UID of its series.
    private func name(dependenciesOf tasks: inout [TaskwarriorTask], _ series: [String: TaskwarriorSeries]) {
        var names: [String: String] = [:]
        // A reminder of another origin has its own UID, and `depends` has the identifier of its task.
        for task in tasks where task.todo.uid != self.uid(task.id) { names[self.uid(task.id)] = task.todo.uid }
        for (parent, one) in series {
            let uid = one.template.map { tasks[$0].todo.uid } ?? self.uid(parent)
            for index in [one.first].compactMap({ $0 }) + one.leftOut {
                names[tasks[index].todo.uid] = uid
                names[self.uid(tasks[index].id)] = uid
            }
        }
        for index in tasks.indices where tasks[index].todo.dependencies.contains(where: { names[$0] != nil }) {
            let own = names[tasks[index].todo.uid] ?? tasks[index].todo.uid
            var seen: Set = [own]
            tasks[index].todo.dependencies = tasks[index].todo.dependencies.map { names[$0] ?? $0 }
                .filter { seen.insert($0).inserted }
        }
    }

    private func withoutRule(_ todo: ImportedTask) -> ImportedTask {
        var todo = todo
        if !todo.isOneDate { todo.rule = nil }
        return todo
    }
}
