package import XML

/// `C:calendar-data`: a calendar object as text (RFC 4791 §9.6).
///
/// Not trimmed; its line ends are LF, since XML normalises all line ends.
package struct CalendarData: DAVProperty {
    /// The name of the element.
    package static let name = QualifiedName.calDAV("calendar-data")
    /// iCalendar text.
    package let text: String

    /// Parses the element; `nil` when it has no value.
    package init?(_ element: Element) {
        guard !element.trimmedText.isEmpty else { return nil }
        self.text = element.text
    }
}
