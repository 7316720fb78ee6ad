import RemindavBridge
import RemindavDatePhrases
import RemindavHTML
import RemindavHTTP
import RemindavICalendar
import RemindavReminders

extension Visit {
    func list(_ fields: FormFields) throws -> Response {
        let query = ListQuery(fields)
        let heads = try self.useCases.listHeads()
        let status = try self.status(fields)
        var style = RowStyle(
            dueText: self.dueText,
            colors: try self.useCases.labelColors(),
            readOnly: Set(heads.filter(\.isReadOnly).map(\.name)),
            hasSeveralLists: heads.count > 1,
            focused: status?.reminder,
            isPlain: query.showsAll
        )
        let there = try fields.number("there").flatMap { try self.useCases.reminders([$0]).first }
        if let there { style.focused = there.id }
        let content = try self.content(query, style)
        let screen = ListScreen(
            query: query,
            sections: content.sections,
            style: style,
            token: self.token,
            status: status,
            there: there.map { Words.Sentence(before: "\"", text: $0.shownTitle, after: "\" was added before.") },
            hasOpen: content.hasOpen,
            hiddenCount: content.hiddenCount,
            key: try self.lineKey(),
            offersAlarms: self.showsAlarmBanner,
            syncs: try self.syncLines(fields),
            nearest: content.sections.isEmpty ? try self.nearest(query, heads) : nil
        )
        let side = FilterPart(
            query: query,
            lists: heads.count > 1 ? heads : [],
            labels: content.labels.map { (name: $0.name, color: style.colors[$0.key] ?? .standard) }
        )
        let alarms = try self.firedAlarms
        let name = (alarms > 0 ? "(\(alarms)) " : "") + Words.reminders.rawValue
        return try self.show(screen, name, side: side)
    }

    /// The key in the form of the line for a new reminder.
    ///
    /// It changes only with an operation, so that equal pages have equal bytes.
    private func lineKey() throws -> String {
        let run = try self.useCases.log(limit: 1, includingDismissals: false).first?.id ?? 0
        return String(SHA256("line \(run) \(self.token)".utf8).hexadecimal.prefix(Self.lineKeyDigits))
    }

    /// 128 bits, which never occur twice.
    private static let lineKeyDigits = 32

    private func content(_ query: ListQuery, _ style: RowStyle) throws -> ListContent {
        let minute = self.useCases.now.secondsSince1970 / 60
        // A page with all reminders is too long to be kept.
        if query.showsAll { return try self.readContent(query, style) }
        let moment = ListCache.Moment(version: try self.useCases.contentVersion, minute: minute)
        let name = "\(style.focused ?? 0)?\(query.text)"
        return try self.site.lists.content(name, at: moment) { try self.readContent(query, style) }
    }

    private func readContent(_ query: ListQuery, _ style: RowStyle) throws -> ListContent {
        let found: (open: [ReminderView], completed: [ReminderView], hidden: Int)
        do {
            found = try self.found(query)
        } catch let error as UseCaseError where error.code == .listNotFound || error.code == .listNameUnclear {
            found = ([], [], 0)
        }
        // The names are collected before they are folded, because folding takes longer than hashing.
        var spellings: Set<String> = []
        for reminder in found.open { spellings.formUnion(reminder.labels) }
        let names = Dictionary(spellings.map { (LabelKey($0), $0) }, uniquingKeysWith: min)
        return ListContent(
            sections: ListScreen.sections(query, found.open, found.completed, style),
            labels: names.sorted { $0.key.text < $1.key.text }.prefix(FilterPart.labelLimit)
                .map { (key: $0.key, name: $0.value) },
            hasOpen: !found.open.isEmpty,
            hiddenCount: found.hidden
        )
    }

    private func found(_ query: ListQuery) throws -> (open: [ReminderView], completed: [ReminderView], hidden: Int) {
        var filter = query.filter
        if query.section == .completed {
            return ([], try self.useCases.listing(filter, detail: .line).reminders, 0)
        }
        let listing = try self.useCases.listing(filter, detail: .line)
        var open = listing.reminders
        open.nestSubtasks()
        guard query.section == nil, !query.startsLater else { return (open, [], listing.hiddenCount) }
        filter.section = .completed
        return (open, try self.useCases.listing(filter, detail: .line).reminders, listing.hiddenCount)
    }

    /// A name similar to an unknown label or list of the filter, with the address of its reminders.
    private func nearest(_ query: ListQuery, _ heads: [ListHead]) throws -> (name: String, address: Address)? {
        let lists = heads.map(\.name)
        for name in query.lists where !lists.contains(where: { $0.lowercased() == name.lowercased() }) {
            guard let near = Spelling.nearestName(to: name, among: lists) else { continue }
            return (near, query.address(without: ["list"], with: (name: "list", value: near)))
        }
        if query.labels.isEmpty { return nil }
        let labels = try self.useCases.labels().map(\.name)
        let keys = Set(labels.map { LabelKey($0) })
        for name in query.labels where !keys.contains(LabelKey(name)) {
            guard let near = Spelling.nearestName(to: name, among: labels) else { continue }
            return (near, query.address(without: ["label"], with: (name: "label", value: near)))
        }
        return nil
    }
}
