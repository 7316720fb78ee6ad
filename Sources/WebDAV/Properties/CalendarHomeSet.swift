package import XML

/// `C:calendar-home-set`: the collections that contain a user's calendars (RFC 4791 §6.2.1).
package struct CalendarHomeSet: DAVProperty {
    package static let name = QualifiedName.calDAV("calendar-home-set")
    /// References as received, in order; at least one.
    package let hrefs: [String]

    package init?(_ element: Element) {
        self.hrefs = element.all(.dav("href")).map(\.trimmedText).filter { !$0.isEmpty }
        guard !self.hrefs.isEmpty else { return nil }
    }
}
