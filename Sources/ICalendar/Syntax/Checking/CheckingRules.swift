extension DocumentChecker {
    /// Checks a rule against RFC 5545 §3.3.10; docs/recurrence.md states how an invalid rule is interpreted.
    mutating func checkRule(_ rule: RecurrenceRule, _ property: Property) {
        if rule.count != nil, rule.until != nil { self.report(.countAndUntil, property) }
        for part in rule.unknownParts {
            let isName = part.name.utf8.count <= 20 && part.name.utf8.allSatisfy(\.isNameCharacter)
            self.report(.unknownRulePart, property, isName ? part.name : nil)
        }
        guard rule.isGregorian else { return self.report(.otherCalendar, property) }
        for words in rule.forbiddenParts { self.report(.rulePartNotAllowed, property, words) }
        if let reason = rule.impossibility { self.report(.emptyRule, property, reason) }
    }

    mutating func checkRules(_ component: Component, _ kind: ComponentKind, _ start: CalendarDateOrDateTime) {
        guard self.has(.rrule, component) else { return }
        // The examples of RFC 7953 have such an AVAILABLE.
        if [.event, .todo, .journal].contains(kind) { self.checkStart(start, component.all(.rrule)) }
        for property in component.all(.rrule) {
            guard let rule = try? RecurrenceRule(wire: property.value) else { continue }
            if start.isDate {
                for name in rule.timeParts {
                    let words = "\(name) is not allowed if DTSTART is a day; it is ignored"
                    self.report(.rulePartNotAllowed, property, words)
                }
            }
            guard let until = rule.until else { continue }
            if let words = until.misfit(start, isObservance: kind == .observance) {
                self.report(.untilDiffers, property, words)
            }
            if kind != .observance, until.isBefore(start) {
                self.report(.emptyRule, property, "UNTIL is before DTSTART")
            }
        }
    }
}

extension DocumentChecker {
    /// Reports a start that no rule names; RFC 5545 §3.8.5.3 does not define the dates of such a component.
    private mutating func checkStart(_ start: CalendarDateOrDateTime, _ properties: [Property]) {
        let rules = properties.compactMap { try? RecurrenceRule(wire: $0.value) }
        guard let first = properties.first, rules.count == properties.count,
            rules.allSatisfy({ $0.impossibility == nil && $0.excludes(start.day) })
        else { return }
        self.report(.startNotInRule, first)
    }
}

extension RecurrenceRule {
    /// Whether BYMONTH, BYMONTHDAY or BYDAY exclude the day; other parts are not compared.
    fileprivate func excludes(_ day: CalendarDate) -> Bool {
        guard self.isGregorian, self.skip == .omit else { return false }
        let length = CalendarDate.daysInMonth(day.month, year: day.year)
        let isInMonths = self.byMonth.isEmpty || self.byMonth.contains(day.month)
        let days = [day.day, day.day - length - 1]
        let isInDays = self.byMonthDay.isEmpty || self.byMonthDay.contains { days.contains($0) }
        // The numbers of weekdays count in a month only if the rule names no weeks and no other period.
        let countsInMonth = self.frequency == .monthly || self.frequency == .yearly && !self.byMonth.isEmpty
        let ordinals = [(day.day - 1) / 7 + 1, -((length - day.day) / 7 + 1)]
        let isInWeekdays =
            self.byDay.isEmpty
            || self.byDay.contains { item in
                guard item.weekday == day.weekday else { return false }
                return item.ordinal.map { !countsInMonth || ordinals.contains($0) } ?? true
            }
        return !(isInMonths && isInDays && isInWeekdays)
    }

    fileprivate var forbiddenParts: [String] {
        var found: [String] = []
        let words = "is not allowed in a \(self.frequency.wire) rule"
        if self.byDay.contains(where: { $0.ordinal != nil }) {
            if self.frequency < .monthly {
                found.append("a number in BYDAY \(words); it is ignored")
            } else if self.frequency == .yearly, !self.byWeekNumber.isEmpty {
                found.append("a number in BYDAY is not allowed together with BYWEEKNO; it is ignored")
            }
        }
        if !self.byMonthDay.isEmpty, self.frequency == .weekly {
            found.append("BYMONTHDAY \(words); it limits the days")
        }
        if !self.byYearDay.isEmpty, [.daily, .weekly, .monthly].contains(self.frequency) {
            found.append("BYYEARDAY \(words); it limits the days")
        }
        if !self.byWeekNumber.isEmpty, self.frequency != .yearly {
            found.append("BYWEEKNO \(words); it limits the days")
        }
        if !self.bySetPosition.isEmpty,
            Self.parts.filter({ $0.name.hasPrefix("BY") && $0.text(self) != nil }).count == 1
        {
            found.append("BYSETPOS is not allowed without another BY part; it is used anyway")
        }
        return found
    }

    fileprivate var impossibility: String? {
        let isByMonth = self.frequency == .monthly || self.frequency == .yearly && !self.byMonth.isEmpty
        if isByMonth, self.byWeekNumber.isEmpty, !self.byDay.isEmpty,
            self.byDay.allSatisfy({ abs($0.ordinal ?? 0) > 5 })
        {
            return "no weekday occurs six times in a month"
        }
        guard self.skip == .omit, !self.byMonth.isEmpty, !self.byMonthDay.isEmpty else { return nil }
        // The year 2000 is a leap year, so February has 29 days.
        let longest = self.byMonth.map { CalendarDate.daysInMonth($0, year: 2000) }.max() ?? 31
        return self.byMonthDay.allSatisfy { abs($0) > longest } ? "no month of BYMONTH has such a day" : nil
    }
}

extension CalendarDateOrDateTime {
    /// Why UNTIL does not fit `start`, `nil` if it fits; in STANDARD and DAYLIGHT, UNTIL is in UTC (RFC 5545 §3.3.10).
    fileprivate func misfit(_ start: Self, isObservance: Bool) -> String? {
        switch (self, start) {
        case (.date, .date): return nil
        case (.dateTime(let until), .dateTime) where isObservance:
            return until.zone == .utc ? nil : "UNTIL has no Z; it is read as local time before the change"
        case (.date, .dateTime): return "UNTIL is a day, but DTSTART is a time; UNTIL includes the whole day"
        case (.dateTime, .date): return "UNTIL is a time, but DTSTART is a day; only the day of UNTIL is used"
        case (.dateTime(let until), .dateTime(let start)):
            if start.zone == .floating, until.zone == .utc {
                return "UNTIL has a Z, but DTSTART has no zone; UNTIL is read as a time in UTC"
            }
            if start.zone != .floating, until.zone != .utc {
                return "UNTIL has no Z; it is read in the zone of DTSTART"
            }
            return nil
        }
    }

    fileprivate func isBefore(_ start: Self) -> Bool {
        if self.isDate || start.isDate { return self.day < start.day }
        return self.isAfter(start, orEqual: true) == false
    }
}
