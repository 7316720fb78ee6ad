// Components (RFC 5545 §3.6, RFC 9074).
extension Name {
    /// The outermost object (RFC 5545 §3.4).
    public static let vcalendar = Self(known: "VCALENDAR")
    /// A to-do (RFC 5545 §3.6.2).
    public static let vtodo = Self(known: "VTODO")
    /// An event (RFC 5545 §3.6.1).
    public static let vevent = Self(known: "VEVENT")
    /// A journal entry (RFC 5545 §3.6.3).
    public static let vjournal = Self(known: "VJOURNAL")
    /// Free and busy times (RFC 5545 §3.6.4).
    public static let vfreebusy = Self(known: "VFREEBUSY")
    /// An alarm (RFC 5545 §3.6.6).
    public static let valarm = Self(known: "VALARM")
    /// A time zone (RFC 5545 §3.6.5).
    public static let vtimezone = Self(known: "VTIMEZONE")
    /// The standard time of a zone (RFC 5545 §3.6.5).
    public static let standard = Self(known: "STANDARD")
    /// The summer time of a zone (RFC 5545 §3.6.5).
    public static let daylight = Self(known: "DAYLIGHT")
}

// Properties (RFC 5545 §3.7, §3.8; RFC 7986; RFC 9074) and those of other programs that we read or write.
extension Name {
    /// The beginning of a component (RFC 5545 §3.6).
    package static let begin = Self(known: "BEGIN")
    /// The end of a component (RFC 5545 §3.6).
    package static let end = Self(known: "END")
    /// The time of an alarm's last acknowledgement (RFC 9074 §6.1).
    public static let acknowledged = Self(known: "ACKNOWLEDGED")
    /// The action of an alarm (RFC 5545 §3.8.6.1).
    public static let action = Self(known: "ACTION")
    /// An attachment (RFC 5545 §3.8.1.1).
    public static let attach = Self(known: "ATTACH")
    /// A participant (RFC 5545 §3.8.4.1).
    public static let attendee = Self(known: "ATTENDEE")
    /// The calendar system (RFC 5545 §3.7.1).
    public static let calscale = Self(known: "CALSCALE")
    /// Labels (RFC 5545 §3.8.1.2).
    public static let categories = Self(known: "CATEGORIES")
    /// The access classification (RFC 5545 §3.8.1.3).
    public static let classification = Self(known: "CLASS")
    /// A colour by its CSS name (RFC 7986 §5.9).
    public static let color = Self(known: "COLOR")
    /// A remark (RFC 5545 §3.8.1.4).
    public static let comment = Self(known: "COMMENT")
    /// The completion time of a to-do (RFC 5545 §3.8.2.1).
    public static let completed = Self(known: "COMPLETED")
    /// A way to join a conference (RFC 7986 §5.11).
    public static let conference = Self(known: "CONFERENCE")
    /// A contact person (RFC 5545 §3.8.4.2).
    public static let contact = Self(known: "CONTACT")
    /// The creation time (RFC 5545 §3.8.7.1).
    public static let created = Self(known: "CREATED")
    /// Notes (RFC 5545 §3.8.1.5).
    public static let description = Self(known: "DESCRIPTION")
    /// The end of an event (RFC 5545 §3.8.2.2).
    public static let dtend = Self(known: "DTEND")
    /// The creation time of this text (RFC 5545 §3.8.7.2).
    public static let dtstamp = Self(known: "DTSTAMP")
    /// The start (RFC 5545 §3.8.2.4).
    public static let dtstart = Self(known: "DTSTART")
    /// The due time of a to-do (RFC 5545 §3.8.2.3).
    public static let due = Self(known: "DUE")
    /// A length of time (RFC 5545 §3.8.2.5).
    public static let duration = Self(known: "DURATION")
    /// Excluded occurrences (RFC 5545 §3.8.5.1).
    public static let exdate = Self(known: "EXDATE")
    /// A rule for excluded occurrences (RFC 2445 §4.8.5.2).
    public static let exrule = Self(known: "EXRULE")
    /// A place by coordinates (RFC 5545 §3.8.1.6).
    public static let geo = Self(known: "GEO")
    /// A picture (RFC 7986 §5.10).
    public static let image = Self(known: "IMAGE")
    /// The time of the last change (RFC 5545 §3.8.7.3).
    public static let lastModified = Self(known: "LAST-MODIFIED")
    /// A place as text (RFC 5545 §3.8.1.7).
    public static let location = Self(known: "LOCATION")
    /// The method of a scheduling message (RFC 5545 §3.7.2).
    public static let method = Self(known: "METHOD")
    /// The name of a calendar (RFC 7986 §5.1).
    public static let calendarName = Self(known: "NAME")
    /// The organizer (RFC 5545 §3.8.4.3).
    public static let organizer = Self(known: "ORGANIZER")
    /// The progress, 0 to 100 (RFC 5545 §3.8.1.8).
    public static let percentComplete = Self(known: "PERCENT-COMPLETE")
    /// The priority, 1 to 9 (RFC 5545 §3.8.1.9).
    public static let priority = Self(known: "PRIORITY")
    /// The program that wrote the object (RFC 5545 §3.7.3).
    public static let prodid = Self(known: "PRODID")
    /// Arrival at a place or departure from it (RFC 9074 §8.1).
    public static let proximity = Self(known: "PROXIMITY")
    /// Additional occurrences (RFC 5545 §3.8.5.2).
    public static let rdate = Self(known: "RDATE")
    /// The occurrence that a component overrides (RFC 5545 §3.8.4.4).
    public static let recurrenceID = Self(known: "RECURRENCE-ID")
    /// The suggested refresh interval of a subscription (RFC 7986 §5.7).
    public static let refreshInterval = Self(known: "REFRESH-INTERVAL")
    /// A related component (RFC 5545 §3.8.4.5).
    public static let relatedTo = Self(known: "RELATED-TO")
    /// The number of repetitions of an alarm (RFC 5545 §3.8.6.2).
    public static let repeatCount = Self(known: "REPEAT")
    /// Required equipment and resources (RFC 5545 §3.8.1.10).
    public static let resources = Self(known: "RESOURCES")
    /// A rule of recurrence (RFC 5545 §3.8.5.3).
    public static let rrule = Self(known: "RRULE")
    /// The number of the revision (RFC 5545 §3.8.7.4).
    public static let sequence = Self(known: "SEQUENCE")
    /// The address for refreshing a calendar (RFC 7986 §5.8).
    public static let source = Self(known: "SOURCE")
    /// The status (RFC 5545 §3.8.1.11).
    public static let status = Self(known: "STATUS")
    /// The title (RFC 5545 §3.8.1.12).
    public static let summary = Self(known: "SUMMARY")
    /// Whether an event blocks time (RFC 5545 §3.8.2.7).
    public static let transp = Self(known: "TRANSP")
    /// The time of an alarm (RFC 5545 §3.8.6.3).
    public static let trigger = Self(known: "TRIGGER")
    /// The name of a time zone; also the parameter (RFC 5545 §3.8.3.1, §3.2.19).
    public static let tzid = Self(known: "TZID")
    /// The offset before a change (RFC 5545 §3.8.3.3).
    public static let tzoffsetfrom = Self(known: "TZOFFSETFROM")
    /// The offset after a change (RFC 5545 §3.8.3.4).
    public static let tzoffsetto = Self(known: "TZOFFSETTO")
    /// The usual name of a zone's time (RFC 5545 §3.8.3.2).
    public static let tzname = Self(known: "TZNAME")
    /// The identifier of a component (RFC 5545 §3.8.4.7) or of an alarm (RFC 9074 §4).
    public static let uid = Self(known: "UID")
    /// The address of further information (RFC 5545 §3.8.4.6).
    public static let url = Self(known: "URL")
    /// The version of iCalendar (RFC 5545 §3.7.4).
    public static let version = Self(known: "VERSION")
    /// HTML notes as Outlook and Thunderbird write them.
    public static let altDescription = Self(known: "X-ALT-DESC")
    /// The time up to which Thunderbird and Tasks.org have dismissed alarms.
    public static let mozLastAck = Self(known: "X-MOZ-LASTACK")
    /// The end of a snooze in Thunderbird and Tasks.org.
    public static let mozSnoozeTime = Self(known: "X-MOZ-SNOOZE-TIME")
    /// A label with its colour, as this project writes it into the calendar.
    public static let label = Self(known: "X-REMINDAV-LABEL")
    /// The calendar name of Apple, Google and others.
    public static let wrCalendarName = Self(known: "X-WR-CALNAME")
    /// Outlook's refresh interval ([MS-OXCICAL] 2.1.3.1.1.15).
    public static let publishedTTL = Self(known: "X-PUBLISHED-TTL")
}

// Parameters (RFC 5545 §3.2).
extension Name {
    /// The colour in a ``label``: `#RRGGBB`.
    public static let labelColor = Self(known: "X-COLOR")
    /// The UUID in a ``label``.
    public static let labelID = Self(known: "X-ID")
    /// The time of the last change of a ``label``, in UTC.
    public static let labelUpdated = Self(known: "X-UPDATED")
    /// The language of a text (RFC 5545 §3.2.10).
    public static let language = Self(known: "LANGUAGE")
    /// The reference time of a trigger (RFC 5545 §3.2.14).
    public static let related = Self(known: "RELATED")
    /// The type of a relation (RFC 5545 §3.2.15).
    public static let reltype = Self(known: "RELTYPE")
    /// The affected occurrences (RFC 5545 §3.2.13).
    public static let range = Self(known: "RANGE")
    /// The encoding of a value (RFC 5545 §3.2.7).
    public static let encoding = Self(known: "ENCODING")
    /// The type of a value (RFC 5545 §3.2.20).
    public static let value = Self(known: "VALUE")
}
