package import XML

/// `DAV:supported-report-set`: the reports that a collection supports (RFC 3253 §3.1.5).
package struct SupportedReports: DAVProperty {
    package static let name = QualifiedName.dav("supported-report-set")
    private let names: Set<QualifiedName>

    package init?(_ element: Element) {
        let reports = element.all(.dav("supported-report")).compactMap { $0.first(.dav("report")) }
        self.names = Set(reports.flatMap { $0.children.map(\.name) })
    }

    /// Whether `DAV:sync-collection` is among them (RFC 6578 §3.2).
    package var hasSyncCollection: Bool { self.names.contains(.dav("sync-collection")) }
    /// Whether `CALDAV:calendar-query` is among them (RFC 4791 §7.8).
    package var hasCalendarQuery: Bool { self.names.contains(.calDAV("calendar-query")) }
}
