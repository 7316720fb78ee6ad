package import XML

/// `C:calendar-data`: a calendar object as text (RFC 4791 §9.6).
///
/// Not trimmed; its line ends are LF, since XML makes every line end one.
package struct CalendarData: DAVProperty {
    /// The element that carries it.
    package static let name = QualifiedName.calDAV("calendar-data")
    /// iCalendar text.
    package let text: String

    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) {
        guard !element.trimmedText.isEmpty else { return nil }
        self.text = element.text
    }
}
