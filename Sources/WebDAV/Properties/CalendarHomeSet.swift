package import XML

/// `C:calendar-home-set`: the collections in which a person's calendars lie (RFC 4791 §6.2.1).
package struct CalendarHomeSet: HrefProperty {
    /// The element that carries it.
    package static let name = QualifiedName.calDAV("calendar-home-set")
    /// References as received, in their order; at least one.
    package let hrefs: [String]
    /// References as received.
    package init(hrefs: [String]) { self.hrefs = hrefs }
}
