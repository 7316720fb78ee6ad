extension ICalendarDocument {
    /// Everything that is wrong: what reading met, and what the standards ask of components, properties and values.
    ///
    /// At most ``ParseLimits/issues`` beside those of reading, by line.
    public func checked() -> [ParseIssue] {
        var checker = DocumentChecker(self)
        checker.run()
        return checker.issues.sorted { ($0.line, $0.code.rawValue) < ($1.line, $1.code.rawValue) }
    }
}

/// Looks at every line of a document once.
///
/// What it asks stands in three tables: ``PropertyDefinition/all``, ``ComponentRule/all`` and ``PropertyWords``.
struct DocumentChecker {
    let document: ICalendarDocument
    private(set) var issues: [ParseIssue]
    private let limit: Int

    /// The zones that the document defines.
    private var definedZones: Set<String> = []
    /// The zones that were named without being defined, each reported once.
    private var missingZones: Set<String> = []
    /// The component in which a property stood last, by the number of its name.
    var lastSeen = [Int](repeating: -1, count: Name.numberCount)
    /// Components that claim an identity, by name, UID and RECURRENCE-ID.
    private var identities: Set<[String]> = []
    /// Whether DTSTART is a day, for each UID that recurs.
    private var masters: [String: Bool] = [:]
    /// RECURRENCE-IDs, to be compared with their masters.
    private var overrides: [(uid: String, isDate: Bool, line: Int)] = []
    /// Whether the calendar that is looked at is vCalendar 1.0.
    var isOld = false
    /// Whether that calendar has a METHOD; asked once, since a calendar may hold any number of components.
    var hasMethod = false
    /// Used again and again, so that a line costs no memory.
    private var values: [PropertyValue] = []

    init(_ document: ICalendarDocument) {
        self.document = document
        self.issues = document.issues
        self.limit = document.issues.count + document.storage.limits.issues
    }

    mutating func run() {
        self.checkStream()
        self.definedZones = Set(self.document.all(.vtimezone).compactMap { $0.first(.tzid)?.text })
        for index in self.document.storage.components.indices {
            self.check(Component(storage: self.document.storage, index: index))
        }
        for override in self.overrides {
            if let isDate = self.masters[override.uid], isDate != override.isDate {
                self.report(.typesDiffer, override.line, "RECURRENCE-ID", "DTSTART")
            }
        }
    }

    mutating func report(_ code: ParseIssue.Code, _ line: Int, _ subject: String? = nil, _ detail: String? = nil) {
        guard self.issues.count < self.limit else { return }
        self.issues.append(ParseIssue(code, line: line, subject: subject, detail: detail))
    }

    private mutating func check(_ component: Component) {
        let kind = ComponentKind(component.name)
        self.checkPlace(component, kind)
        if kind == .calendar {
            self.isOld = component.first(.version)?.value.hasPrefix("1.") ?? false
            self.hasMethod = component.first(.method) != nil
        }
        for property in component.properties {
            self.checkPlace(property, in: component, kind)
            self.checkValue(property, kind)
        }
        guard let kind else { return }
        self.checkPresence(component, kind)
        self.checkRelations(component, kind)
        self.checkIdentity(component, kind)
    }

    /// Whether a component stands where it has a meaning.
    private mutating func checkPlace(_ component: Component, _ kind: ComponentKind?) {
        guard let kind, let rule = ComponentRule.of(kind) else { return }
        guard let parent = component.parent else {
            if kind != .calendar { self.report(.bareComponent, component.line, component.name.canonical) }
            return
        }
        guard let outer = ComponentKind(parent.name), !rule.parents.contains(outer) else { return }
        self.report(.misplacedComponent, component.line, component.name.canonical, parent.name.canonical)
    }

    /// Whether a property may stand in its component, and may stand there again.
    private mutating func checkPlace(_ property: Property, in component: Component, _ kind: ComponentKind?) {
        let number = Int(property.nameNumber)
        guard number != 0 else { return }
        defer { self.lastSeen[number] = component.index }
        guard let kind, let definition = PropertyDefinition.byNumber[number] else { return }
        let isSecond = self.lastSeen[number] == component.index
        switch definition.cardinality(in: kind) {
        case .never: self.report(.misplacedProperty, property.line, definition.name.wire, component.name.canonical)
        case .once where isSecond, .atMostOnce where isSecond:
            self.report(.duplicateProperty, property.line, definition.name.wire)
        case .preferablyOnce where isSecond: self.report(.severalRules, property.line, definition.name.wire)
        default: break
        }
    }

    /// Whether another component says that it is the same.
    private mutating func checkIdentity(_ component: Component, _ kind: ComponentKind) {
        guard [.event, .todo, .journal].contains(kind), let uid = component.first(.uid)?.text, !uid.isEmpty else {
            return
        }
        let recurrenceID = component.first(.recurrenceID)
        let identity = [component.name.canonical, uid, recurrenceID?.value ?? ""]
        if !self.identities.insert(identity).inserted {
            self.report(.duplicateUID, component.line, component.name.canonical)
        }
        if let recurrenceID {
            guard let moment = recurrenceID.moment else { return }
            self.overrides.append((uid, moment.isDate, recurrenceID.line))
        } else if self.has(.rrule, component) || self.has(.rdate, component) {
            self.masters[uid] = component.first(.dtstart)?.moment?.isDate
        }
    }

    /// Whether the component that is looked at has a property of that name.
    func has(_ name: Name, _ component: Component) -> Bool { self.lastSeen[Int(name.number)] == component.index }

    /// Tells of a zone that the document does not define, once.
    mutating func checkZone(_ name: String, _ property: Property) {
        guard !self.definedZones.contains(name), self.missingZones.insert(name).inserted else { return }
        self.report(.missingTimeZone, property.line, property.name.canonical)
    }

    /// Reads the values of a line into ``values`` and hands them over.
    mutating func read(_ reader: ValueReader, _ body: (inout Self, [PropertyValue]) -> Void) throws(ValueError) {
        var values = self.values
        self.values = []
        values.removeAll(keepingCapacity: true)
        defer { self.values = values }
        try reader.read(into: &values)
        body(&self, values)
    }
}
