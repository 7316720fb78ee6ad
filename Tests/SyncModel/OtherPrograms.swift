// Edits of other programs on the server.
extension World {
    private enum Doing: String, CaseIterable {
        case title, notes, noNotes, priority, due, location, complete, addLabel, removeLabel, addX, dropX, addToCalendar
        case turnParameters, reorder, refold, addAlarm, changeAlarm, removeAlarm, addComponent, relate, override
        case delete, openEditor, saveStale, create, createOdd, rename, moveList, double, garbage, deleteMany
    }

    func otherProgram(_ value: String, _ random: inout SeededGenerator) {
        var doing = random.pick(Doing.allCases) ?? .title
        // Half of the edits are common ones.
        if random.oneIn(2) { doing = random.pick([.title, .notes, .due, .complete, .addLabel, .delete]) ?? .title }
        let by = "\(value) of another program"
        let path = random.pick(self.server.paths.sorted())
        self.log("\(value) another program: \(doing.rawValue) \(path ?? "")")
        switch doing {
        case .create, .createOdd: return self.create(doing == .createOdd, value, &random)
        case .saveStale:
            guard let stale = self.stale.popLast(), self.server.member(stale.path) != nil else { return }
            // Nothing is promised for a UID in two resources.
            guard let text = CalendarText(stale.text), !self.server.has(text.uid, besides: stale.path) else { return }
            return self.write(stale.text, at: stale.path, by: by)
        default: break
        }
        guard let path, let member = self.server.member(path), var text = CalendarText(member.text) else { return }
        switch doing {
        case .delete: return self.write(nil, at: path, by: by)
        case .deleteMany:
            for (number, path) in self.server.paths.sorted().enumerated() where !number.isMultiple(of: 4) {
                self.write(nil, at: path, by: by)
            }
            return
        case .openEditor: return self.stale.append((path, member.text))
        case .garbage: return self.write(Array("BEGIN:VCARD\r\nFN:\(value)\r\nEND:VCARD\r\n".utf8), at: path, by: by)
        case .rename, .moveList: return self.rename(path, member, text, isFar: doing == .moveList, value, &random)
        case .double:
            self.ledger.unwatch(text.uid)
            text.main.set("SUMMARY", "double \(value)")
            return self.server.put(text.bytes(), at: self.newPath(path, "double-\(value).ics"))
        case .refold, .reorder: break
        case .turnParameters:
            for index in text.main.lines.indices { text.main.lines[index].parameters.reverse() }
        default:
            self.change(doing, &text, value, &random)
            self.stamp(&text, &random)
        }
        if doing == .reorder || random.oneIn(5) { text.root = text.root.sorted }
        let width = doing == .refold || random.oneIn(5) ? 20 + random.below(60) : 75
        self.write(text.bytes(width: width, lineEnd: random.oneIn(10) ? "\n" : "\r\n"), at: path, by: by)
    }

    private func newPath(_ path: String, _ name: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/\(name)"
    }

    /// Most programs update the stamp, some leave the old one, some write none.
    private func stamp(_ text: inout CalendarText, _ random: inout SeededGenerator) {
        switch random.below(6) {
        case 0: break
        case 1: text.main.remove("LAST-MODIFIED")
        default: text.main.set("LAST-MODIFIED", self.utc(self.time))
        }
    }

    func utc(_ seconds: Int64) -> String {
        let day = 20_777 + (seconds - 1_795_132_800) / 86400
        let clock = seconds % 86400
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (year, month, date) = Self.civil(day)
        return "\(year)\(two(month))\(two(date))T\(two(clock / 3600))\(two(clock / 60 % 60))\(two(clock % 60))Z"
    }

    /// The date of a day counted from 1 January 1970 (the usual algorithm by eras of 400 years).
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        var year: Int64 = 1970
        var rest = day
        func length(_ year: Int64) -> Int64 {
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 366 : 365
        }
        while rest >= length(year) {
            rest -= length(year)
            year += 1
        }
        let months: [Int64] = [31, length(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var month: Int64 = 1
        for days in months {
            if rest < days { break }
            rest -= days
            month += 1
        }
        return (year, month, rest + 1)
    }

    private func create(_ isOdd: Bool, _ value: String, _ random: inout SeededGenerator) {
        guard let list = random.pick(self.server.collections.map(\.path)) else { return }
        let names = ["\(value) with space.ics", "\(value)@host.ics", "\(value)%25.ics", "\(value)", "\(value)+é.ics"]
        let name = isOdd ? random.pick(names) ?? value : "\(value).ics"
        var todo = CalendarText.Node(name: "VTODO")
        todo.set("UID", "uid-\(value)")
        todo.set("DTSTAMP", self.utc(self.time))
        todo.set("SUMMARY", value)
        todo.set("X-FOREIGN", value, parameters: ["X-P=\"a;b\"", "X-Q=1"])
        if random.oneIn(2) { todo.set("DUE", "20261201T080000", parameters: ["TZID=Here"]) }
        if random.oneIn(3) { todo.set("RRULE", "FREQ=WEEKLY") }
        if todo.first("RRULE") != nil { todo.set("DTSTART", "20261201T080000", parameters: ["TZID=Here"]) }
        if random.oneIn(2) { todo.set("CATEGORIES", "l\(value),common") }
        var standard = CalendarText.Node(name: "STANDARD")
        standard.set("DTSTART", "19700101T000000")
        standard.set("TZOFFSETFROM", "+0100")
        standard.set("TZOFFSETTO", "+0100")
        var zone = CalendarText.Node(name: "VTIMEZONE")
        zone.set("TZID", "Here")
        zone.children = [standard]
        var root = CalendarText.Node(name: "VCALENDAR")
        root.set("VERSION", "2.0")
        root.set("PRODID", "-//other//")
        root.children = [zone, todo]
        self.write(CalendarText(root: root).bytes(), at: list + name, by: "\(value) of another program")
    }

    /// Another name, or another list: the content stays.
    private func rename(
        _ path: String,
        _ member: MemoryServer.Member,
        _ text: CalendarText,
        isFar: Bool,
        _ value: String,
        _ random: inout SeededGenerator
    ) {
        var target = self.newPath(path, "renamed-\(value).ics")
        if isFar {
            let others = self.server.collections.map(\.path).filter { !path.hasPrefix($0) }
            guard let other = random.pick(others), !self.server.has(text.uid, besides: path) else { return }
            target = "\(other)moved-\(value).ics"
        }
        if isFar { self.ledger.move(text.uid) } else { self.ledger.touch(text.uid) }
        self.server.remove(path)
        self.server.put(member.text, at: target)
    }

    private func change(
        _ doing: Doing,
        _ text: inout CalendarText,
        _ value: String,
        _ random: inout SeededGenerator
    ) {
        var todo = text.main
        let alarms = todo.children.indices.filter { todo.children[$0].name == "VALARM" }
        let labels = todo.value("CATEGORIES")?.split(separator: ",").map(String.init) ?? []
        let minutes = 1 + value.utf8.reduce(0) { ($0 * 31 + Int($1)) % 5000 }
        switch doing {
        case .title: todo.set("SUMMARY", value)
        case .notes: todo.set("DESCRIPTION", "notes \(value)")
        case .noNotes: todo.remove("DESCRIPTION")
        case .priority: todo.set("PRIORITY", String(1 + random.below(9)))
        case .location: todo.set("LOCATION", "place \(value)", parameters: ["LANGUAGE=en"])
        case .due:
            let due = self.utc(1_795_204_800 + Int64(minutes) * 3600)
            todo.set("DUE", due)
            if todo.first("DTSTART") != nil { todo.set("DTSTART", due) }
        case .complete:
            todo.set("STATUS", "COMPLETED")
            todo.set("COMPLETED", self.utc(self.time))
            todo.set("PERCENT-COMPLETE", "100")
        case .addLabel: todo.set("CATEGORIES", (labels + ["l\(value)"]).joined(separator: ","))
        case .removeLabel:
            guard !labels.isEmpty else { return }
            let rest = labels.enumerated().filter { $0.offset != 0 }.map(\.element)
            if rest.isEmpty { todo.remove("CATEGORIES") } else { todo.set("CATEGORIES", rest.joined(separator: ",")) }
        case .addX: todo.set("X-FOREIGN\(random.below(3))", value, parameters: ["X-Q=\(value)", "X-P=\"b:c\""])
        case .dropX: text.root = text.root.stripped
        case .addToCalendar: text.root.set("X-WR-\(random.below(2))", value)
        case .addAlarm:
            var alarm = CalendarText.Node(name: "VALARM")
            if random.oneIn(2) { alarm.set("UID", "alarm-\(value)") }
            alarm.set("ACTION", "DISPLAY")
            alarm.set("DESCRIPTION", value)
            alarm.set("TRIGGER", "-PT\(minutes)M", parameters: ["RELATED=END"])
            alarm.set("X-ALARM", value)
            todo.children.append(alarm)
        case .changeAlarm:
            if let place = random.pick(alarms) { todo.children[place].set("TRIGGER", "-PT\(minutes)M") }
        case .removeAlarm: if let place = random.pick(alarms) { todo.children.remove(at: place) }
        case .addComponent:
            var thing = CalendarText.Node(name: "X-THING")
            thing.set("X-INSIDE", value)
            todo.children.append(thing)
        case .relate: todo.lines.append(.init(name: "RELATED-TO", value: "other-\(value)"))
        case .override:
            guard todo.first("RRULE") != nil else { return }
            var other = CalendarText.Node(name: "VTODO")
            other.set("UID", text.uid)
            other.set("RECURRENCE-ID", "20261208T080000", parameters: ["TZID=Here"])
            other.set("SUMMARY", "once \(value)")
            text.root.children.append(other)
        default: return
        }
        guard doing != .dropX, doing != .addToCalendar, doing != .override else { return }
        text.main = todo
    }
}
