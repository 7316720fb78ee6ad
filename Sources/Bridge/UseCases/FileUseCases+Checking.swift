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
        let lines = Set(issues.map(\.line))
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
        return found.sorted { ($0.line, $0.code) < ($1.line, $1.code) }
    }
}

extension IssueView {
    fileprivate init(_ issue: TimeZoneIssue) {
        self.init(
            line: issue.line,
            code: issue.code.rawValue,
            severity: (issue.code.isError ? ParseIssue.Severity.error : .warning).rawValue,
            subject: issue.subject.canonical,
            message: issue.description,
            advice: issue.code.advice
        )
    }
}
