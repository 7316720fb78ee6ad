package import RemindavICalendar
package import RemindavJSON
package import RemindavRecurrence

// Use cases for .ics files that need no store.

package enum ConversionTarget: String, Sendable, CaseIterable {
    /// The JSON form of RFC 7265.
    case jcal
    case json
}

extension ICalendarDocument {
    /// - Parameter name: the name of the file in messages.
    /// - Throws: ``UseCaseError`` if the bytes are not iCalendar.
    init(calendar bytes: [UInt8], named name: String) throws(UseCaseError) {
        self.init(bytes)
        guard self.isICalendar else { throw UseCaseError.noCalendar(bytes, named: name) }
    }
}

extension UseCases {
    /// Writes a file with a canonical order, folding and line ends, without a change of the content.
    ///
    /// - Returns: whether the input is complete; truncated input is also written, without an error.
    package static func format(_ bytes: [UInt8], named name: String, write: ([UInt8]) throws -> Void) throws -> Bool {
        let document = try ICalendarDocument(calendar: bytes, named: name)
        try document.reformat(write)
        return !document.isCutShort
    }

    /// Writes a file in another format; returns findings about unreadable values, which the output lacks.
    package static func convert(
        _ bytes: [UInt8],
        named name: String,
        to target: ConversionTarget,
        write: ([UInt8]) throws -> Void
    ) throws -> [IssueView] {
        let document = try ICalendarDocument(calendar: bytes, named: name)
        switch target {
        case .jcal: try document.writeJCal(write)
        case .json: try document.writePlainJSON(write)
        }
        return document.issues.map { IssueView($0) }
    }

    package static func diff(
        _ old: (bytes: [UInt8], name: String),
        _ new: (bytes: [UInt8], name: String)
    ) throws -> [ComponentDifference] {
        ComponentDifference.between(
            try ICalendarDocument(calendar: old.bytes, named: old.name),
            try ICalendarDocument(calendar: new.bytes, named: new.name)
        )
    }

    /// The findings about the text and the time zones of a file, in the order of the lines.
    package static func check(_ bytes: [UInt8], zones: ZoneDatabase) -> [IssueView] {
        let document = ICalendarDocument(bytes)
        guard document.isICalendar else { return [IssueView(ParseIssue(notICalendar: bytes))] }
        // The text check reports every missing VTIMEZONE. The check of time zones below reports it only if this machine
        // does not know the zone.
        let issues = document.checked().filter { $0.code != .missingTimeZone }
        let lines = Set(issues.lazy.filter { $0.code.severity != .info }.map(\.line))
        var found = issues.map { IssueView($0) }
        for calendar in document.components where calendar.name == .vcalendar {
            // A line with a finding of the text check gets no second finding about its VTIMEZONE.
            found += TimeZoneIssue.all(in: calendar).filter { !lines.contains($0.line) }.map { IssueView($0) }
            let resolver = TimeZoneResolver(database: zones, calendar: calendar, local: "")
            found += TimeZoneIssue.names(in: calendar.components, resolver: resolver).map { IssueView($0) }
        }
        let bare = document.components.filter { $0.name != .vcalendar }
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: "")
        found += TimeZoneIssue.names(in: bare, resolver: resolver).map { IssueView($0) }
        return Self.limited(found.sorted { ($0.line, $0.code) < ($1.line, $1.code) })
    }

    /// All errors, and the first ``IssueList/limit`` other findings of each kind.
    ///
    /// In the last listed finding of a kind, ``IssueView/more`` is the number of omitted findings of that kind.
    private static func limited(_ issues: [IssueView]) -> [IssueView] {
        var listed: [IssueView] = []
        var places: [String: (count: Int, last: Int)] = [:]
        for issue in issues {
            let kind = "\(issue.code) \(issue.subject ?? "")"
            var place = places[kind] ?? (0, 0)
            place.count += 1
            if issue.severity == ParseIssue.Severity.error.rawValue || place.count <= IssueList.limit {
                place.last = listed.count
                listed.append(issue)
            } else {
                listed[place.last].more += 1 + issue.more
            }
            places[kind] = place
        }
        return listed
    }
}

extension IssueView {
    fileprivate init(_ issue: TimeZoneIssue) {
        self.init(issue.code, line: issue.line, subject: issue.subject, message: issue.description)
    }
}

extension ComponentDifference: JSONRecord {
    package var uid: String? { self.component.first(self.component.name == .vtimezone ? .tzid : .uid)?.text }

    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("change") { $0.kind.rawValue }, JSONMember("component") { $0.component.name.canonical },
        JSONMember("uid") { $0.uid }, JSONMember("recurrenceId") { $0.component.recurrenceID?.value },
        JSONMember("summary") { $0.component.first(.summary)?.text },
        JSONMember("line") { $0.component.line }, JSONMember("properties") { $0.properties },
        JSONMember("components") { $0.components },
    ]
}

extension PropertyDifference: JSONRecord {
    package static let jsonMembers: [JSONMember<Self>] = [
        JSONMember("name") { $0.name }, JSONMember("old") { $0.old }, JSONMember("new") { $0.new },
    ]
}
