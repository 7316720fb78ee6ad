package import XML

/// `A:calendar-color`: the display colour of the calendar.
package struct CalendarColor: DAVProperty {
    package static let name = QualifiedName.appleICal("calendar-color")
    /// `#RRGGBB` in upper case.
    package let hex: String

    package init?(_ element: Element) { self.init(text: element.trimmedText) }

    /// Parses `#RGB`, `#RRGGBB` and `#RRGGBBAA`; the opacity is dropped.
    ///
    /// - Returns: `nil` for the name of a colour. Most servers store names unchanged, but programs disagree on their
    ///   meaning.
    package init?(text: String) {
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst().uppercased()
        guard digits.utf8.allSatisfy({ (48...57).contains($0) || (65...70).contains($0) }) else { return nil }
        switch digits.count {
        case 3: self.hex = "#" + digits.map { "\($0)\($0)" }.joined()
        case 6, 8: self.hex = "#" + digits.prefix(6)
        default: return nil
        }
    }

    /// The form that every server accepts: SOGo refuses any other.
    package var wire: String { self.hex + "FF" }
}
