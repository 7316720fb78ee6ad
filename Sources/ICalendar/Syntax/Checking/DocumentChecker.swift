extension ICalendarDocument {
    /// All issues: those of parsing, and violations of the standards by components, properties and values.
    ///
    /// The issues are sorted by line. For each pair of code and subject, at most 20 issues are reported, or
    /// ``ParseLimits/issues`` if they are errors. ``ParseIssue/more`` of the last one is the number of omitted issues.
    public func checked() -> [ParseIssue] {
        var checker = DocumentChecker(self)
        checker.run()
        return checker.issues.sorted
    }
}

/// Checks every line once; the rules are in ``PropertyDefinition/all``, ``ComponentRule/all`` and ``EnumeratedValues``.
struct DocumentChecker {
    let document: ICalendarDocument
    var issues: IssueList
    private var definedZones: Set<String> = []
    private var missingZones: Set<String> = []
    /// For each property name, by its number: the index of the last component that contained a property of this name.
    var lastSeen = [Int](repeating: -1, count: Name.numberCount)
    /// The line of the first component with each identity; an identity is the name, the UID and the RECURRENCE-ID.
    private var identities: [[ByteExactString]: Int] = [:]
    private(set) var masters: [ByteExactString: CalendarDateOrDateTime] = [:]
    private(set) var overrides: [(uid: String, moment: CalendarDateOrDateTime, line: Int)] = []
    var isOld = false
    /// Whether the current calendar has a METHOD; it is read once for all components of the calendar.
    var hasMethod = false
    var needsOrganizer = false
    var anchors = Anchors()
    var lateEnds: Set<Int> = []
    var cutLine: Int?
    /// A buffer for the values of a line; its reuse avoids allocations.
    private var values: [PropertyValue] = []

    init(_ document: ICalendarDocument) {
        self.document = document
        self.issues = IssueList(errorLimit: document.storage.limits.issues)
    }

    mutating func run() {
        self.isOld = self.document.calendar?.isOld ?? false
        self.checkReading()
        self.checkEncoding()
        self.checkLines()
        self.definedZones = Set(self.document.all(.vtimezone).compactMap { $0.first(.tzid)?.text })
        for index in self.document.storage.components.indices {
            self.check(Component(storage: self.document.storage, index: index))
        }
        self.checkOverrides()
    }

    mutating func report(_ code: ParseIssue.Code, _ line: Int, _ subject: String? = nil, _ detail: String? = nil) {
        // The value of a truncated line cannot be parsed, so its errors are not reported.
        if line == self.cutLine, code == .badValue || code == .badRule { return }
        self.issues.add(ParseIssue(code, line: line, subject: subject, detail: detail))
    }

    mutating func report(_ code: ParseIssue.Code, _ property: Property, _ detail: String? = nil) {
        self.report(code, property.line, property.name.canonical, detail)
    }

    private mutating func check(_ component: Component) {
        let name = component.name
        let kind = ComponentKind(name)
        self.checkPlace(component, name, kind)
        if kind == .calendar {
            self.isOld = component.isOld
            let method = component.first(.method)?.text.uppercased()
            self.hasMethod = method != nil
            self.needsOrganizer = method.map(EnumeratedValues.methods.contains) ?? false
        }
        for property in component.properties {
            if self.checkPlace(property, in: component, kind) { self.checkValue(property, kind) }
        }
        guard let kind else { return }
        // A truncated component may lack required properties, so they are not reported as missing.
        if component.isEnded { self.checkPresence(component, kind) }
        self.checkRelations(component, kind)
        self.checkIdentity(component, kind)
    }

    private mutating func checkPlace(_ component: Component, _ name: Name, _ kind: ComponentKind?) {
        guard let kind, let rule = ComponentRule.of(kind) else {
            let canonical = name.canonical
            // The grammar allows any component name (iana-comp), but no program reads an unknown component.
            if !canonical.hasPrefix("X-") { self.report(.unknownComponent, component.line, canonical) }
            return
        }
        guard let parent = component.parent else {
            if kind != .calendar { self.report(.bareComponent, component.line, name.canonical) }
            return
        }
        guard let outer = ComponentKind(parent.name), !rule.parents.contains(outer) else { return }
        self.report(.misplacedComponent, component.line, name.canonical, parent.name.canonical)
    }

    /// - Returns: whether the value needs a check. Programs ignore a property in the wrong component.
    private mutating func checkPlace(_ property: Property, in component: Component, _ kind: ComponentKind?) -> Bool {
        let number = Int(property.nameNumber)
        guard number != 0 else { return true }
        defer { self.lastSeen[number] = component.index }
        guard let kind, let definition = PropertyDefinition.byNumber[number] else { return true }
        let isSecond = self.lastSeen[number] == component.index
        switch definition.cardinality(in: kind) {
        case .never:
            self.report(.misplacedProperty, property, component.name.canonical)
            return false
        case .once where isSecond, .atMostOnce where isSecond:
            self.report(.duplicateProperty, property)
        case .preferablyOnce where isSecond: self.report(.severalRules, property)
        default: break
        }
        return true
    }

    private mutating func checkIdentity(_ component: Component, _ kind: ComponentKind) {
        guard [.event, .todo, .journal].contains(kind), let uid = component.first(.uid)?.text, !uid.isEmpty else {
            return
        }
        let recurrenceID = component.recurrenceID
        let identity = [component.name.canonical, uid, recurrenceID?.value ?? ""].map(\.exact)
        if let first = self.identities[identity] {
            self.report(.duplicateUID, component.line, component.name.canonical, "the one in line \(first)")
        } else {
            self.identities[identity] = component.line
        }
        if let recurrenceID {
            guard let moment = recurrenceID.moment else { return }
            self.overrides.append((uid, moment, recurrenceID.line))
        } else if self.has(.rrule, component) || self.has(.rdate, component) {
            self.masters[uid.exact] = component.first(.dtstart)?.moment
        }
    }

    func has(_ name: Name, _ component: Component) -> Bool { self.lastSeen[Int(name.number)] == component.index }

    mutating func checkZone(_ name: String, _ property: Property) {
        guard !self.definedZones.contains(name), self.missingZones.insert(name).inserted else { return }
        self.report(.missingTimeZone, property)
    }

    mutating func read(_ reader: ValueReader, _ body: (inout Self, [PropertyValue]) -> Void) throws(ValueError) {
        var values = self.values
        self.values = []
        values.removeAll(keepingCapacity: true)
        defer { self.values = values }
        try reader.read(into: &values)
        body(&self, values)
    }
}

extension Component {
    fileprivate var isOld: Bool { self.first(.version)?.value.trimmingSpaces.hasPrefix("1.") ?? false }
}
