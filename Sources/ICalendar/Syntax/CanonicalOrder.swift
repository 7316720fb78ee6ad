/// The order in which ``ICalendarDocument/reformatted()`` writes the properties of a component.
///
/// One order for every component: what the whole is, what it is called, when it is, how it repeats, how it stands, who
/// and what belongs to it. Properties that are not in it come after, by name.
enum CanonicalOrder {
    /// The place of each name by its number; names that are not listed share the last.
    static let ranks: [UInt16] = {
        var ranks = [UInt16](repeating: Self.unlisted, count: Name.numberCount)
        for (rank, spelling) in Self.properties.enumerated() { ranks[Int(Name(known: spelling).number)] = UInt16(rank) }
        return ranks
    }()

    static let unlisted = UInt16.max

    // swift-format-ignore
    static let properties = [
        // What it is.
        "VERSION", "PRODID", "CALSCALE", "METHOD", "UID", "RECURRENCE-ID", "TZID", "TZID-ALIAS-OF",
        "DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE", "CLASS", "ACTION", "TRIGGER", "REPEAT",
        // What it is called.
        "NAME", "SUMMARY", "DESCRIPTION", "STYLED-DESCRIPTION", "LOCATION", "LOCATION-TYPE", "GEO", "TZURL", "TZUNTIL",
        // When it is.
        "DTSTART", "DTEND", "DUE", "DURATION", "COMPLETED", "ACKNOWLEDGED", "PROXIMITY",
        "TZOFFSETFROM", "TZOFFSETTO", "TZNAME",
        // How it repeats.
        "RRULE", "EXRULE", "RDATE", "EXDATE",
        // How it stands.
        "STATUS", "PERCENT-COMPLETE", "PRIORITY", "TRANSP", "BUSYTYPE", "FREEBUSY",
        // What belongs to it.
        "CATEGORIES", "CONCEPT", "REFID", "RESOURCES", "RESOURCE-TYPE", "PARTICIPANT-TYPE", "CALENDAR-ADDRESS",
        "ORGANIZER", "ATTENDEE", "CONTACT", "RELATED-TO", "LINK", "URL", "SOURCE", "REFRESH-INTERVAL",
        "CONFERENCE", "ATTACH", "IMAGE", "COLOR", "STRUCTURED-DATA", "COMMENT", "REQUEST-STATUS", "XML",
    ]
}
