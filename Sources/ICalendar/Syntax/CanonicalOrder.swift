/// The order in which ``ICalendarDocument/reformatted()`` writes the properties of a component.
///
/// One order for every component: identity, names and texts, times, recurrence, state, relations and people. Other
/// properties follow, sorted by name.
enum CanonicalOrder {
    /// The position of each name, by its number; unlisted names share the last position.
    static let ranks: [UInt16] = {
        var ranks = [UInt16](repeating: Self.unlisted, count: Name.numberCount)
        for (rank, spelling) in Self.properties.enumerated() { ranks[Int(Name(known: spelling).number)] = UInt16(rank) }
        return ranks
    }()

    static let unlisted = UInt16.max

    // swift-format-ignore
    static let properties = [
        // Identity.
        "VERSION", "PRODID", "CALSCALE", "METHOD", "UID", "RECURRENCE-ID", "TZID", "TZID-ALIAS-OF",
        "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "CLASS", "ACTION", "TRIGGER", "REPEAT",
        // Names and texts.
        "NAME", "SUMMARY", "DESCRIPTION", "STYLED-DESCRIPTION", "LOCATION", "LOCATION-TYPE", "GEO", "TZURL", "TZUNTIL",
        // When it is.
        "DTSTART", "DTEND", "DUE", "DURATION", "COMPLETED", "ACKNOWLEDGED", "PROXIMITY",
        "TZOFFSETFROM", "TZOFFSETTO", "TZNAME",
        // How it repeats.
        "RRULE", "EXRULE", "RDATE", "EXDATE",
        // State.
        "STATUS", "PERCENT-COMPLETE", "PRIORITY", "TRANSP", "BUSYTYPE", "FREEBUSY",
        // Relations and categories.
        "CATEGORIES", "CONCEPT", "REFID", "RESOURCES", "RESOURCE-TYPE", "PARTICIPANT-TYPE", "CALENDAR-ADDRESS",
        "ORGANIZER", "ATTENDEE", "CONTACT", "RELATED-TO", "LINK", "URL", "SOURCE", "REFRESH-INTERVAL",
        "CONFERENCE", "ATTACH", "IMAGE", "COLOR", "STRUCTURED-DATA", "COMMENT", "REQUEST-STATUS", "XML",
    ]
}
