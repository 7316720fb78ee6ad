import ICalendar
package import Recurrence

extension UseCases {
    /// What is wrong with a stream, by line.
    ///
    /// What the text says is looked at in `ICalendar`; which zone a TZID means, in `Recurrence`.
    package static func check(_ bytes: [UInt8], zones: ZoneDatabase) -> [IssueView] {
        let document = ICalendarDocument(bytes)
        guard document.isICalendar else {
            return [IssueView(ParseIssue(notICalendar: bytes))]
        }
        // Of a zone that the file does not define more can be said where zones are known.
        let issues = document.checked().filter { $0.code != .missingTimeZone }
        let lines = Set(issues.lazy.filter { $0.code.severity != .info }.map(\.line))
        var found = issues.map { IssueView($0) }
        for calendar in document.components where calendar.name == .vcalendar {
            // What is wrong in a VTIMEZONE has most often been said of its lines.
            found += TimeZoneIssue.all(in: calendar).filter { !lines.contains($0.line) }.map { IssueView($0) }
            let resolver = TimeZoneResolver(database: zones, calendar: calendar, local: "")
            found += TimeZoneIssue.names(in: calendar.components, resolver: resolver).map { IssueView($0) }
        }
        let bare = document.components.filter { $0.name != .vcalendar }
        let resolver = TimeZoneResolver(database: zones, calendar: nil, local: "")
        found += TimeZoneIssue.names(in: bare, resolver: resolver).map { IssueView($0) }
        return Self.limited(found.sorted { ($0.line, $0.code) < ($1.line, $1.code) })
    }
}

extension UseCases {
    /// What is told of findings by line: of a kind that is no error the first, and how many there are more.
    private static func limited(_ issues: [IssueView]) -> [IssueView] {
        var told: [IssueView] = []
        var places: [String: (count: Int, last: Int)] = [:]
        for issue in issues {
            let kind = "\(issue.code) \(issue.subject ?? "")"
            var place = places[kind] ?? (0, 0)
            place.count += 1
            if issue.severity == ParseIssue.Severity.error.rawValue || place.count <= IssueList.limit {
                place.last = told.count
                told.append(issue)
            } else {
                told[place.last].more += 1 + issue.more
            }
            places[kind] = place
        }
        return told
    }
}

extension IssueView {
    fileprivate init(_ issue: TimeZoneIssue) {
        self.init(issue.code, line: issue.line, subject: issue.subject, message: issue.description)
    }

    init(_ code: TimeZoneIssue.Code, line: Int, subject: Name? = nil, message: String? = nil) {
        self.init(
            line: line,
            code: code.rawValue,
            severity: (code.isError ? ParseIssue.Severity.error : .warning).rawValue,
            subject: subject?.canonical,
            message: message ?? code.sentence,
            advice: code.advice
        )
    }
}
