package import XML

/// `C:calendar-home-set`: the collections that contain a user's calendars (RFC 4791 §6.2.1).
package struct CalendarHomeSet: HrefProperty {
    /// The name of the element.
    package static let name = QualifiedName.calDAV("calendar-home-set")
    /// References as received, in order; at least one.
    package let hrefs: [String]
    /// References as received.
    package init(hrefs: [String]) { self.hrefs = hrefs }
}
