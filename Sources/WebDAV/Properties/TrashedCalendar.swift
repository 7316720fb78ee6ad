package import XML

/// `{http://nextcloud.com/ns}calendar-uri`: the calendar from which an object in the trash was deleted.
///
/// Nextcloud only; no standard has a trash.
package struct TrashedCalendar: TextProperty {
    /// The element that carries it.
    package static let name = QualifiedName("calendar-uri", in: Namespace.nextcloud)
    /// The last segment of the calendar's address, decoded.
    package let text: String
    package init(text: String) { self.text = text }
}
