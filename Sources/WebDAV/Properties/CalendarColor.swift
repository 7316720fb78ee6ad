package import XML

/// `A:calendar-color`: the colour in which the calendar is shown.
package struct CalendarColor: DAVProperty {
    /// The element that carries it.
    package static let name = QualifiedName.appleICal("calendar-color")
    /// `#RRGGBB` in upper case.
    package let hex: String

    /// Reads the element; `nil` when it says nothing.
    package init?(_ element: Element) { self.init(text: element.trimmedText) }

    /// Reads `#RGB`, `#RRGGBB` and `#RRGGBBAA`; the opacity is dropped.
    ///
    /// - Returns: `nil` for the name of a colour, which most servers keep as it was sent but nobody agrees on.
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

    /// The form that every server takes: SOGo refuses any other.
    package var wire: String { self.hex + "FF" }
}
