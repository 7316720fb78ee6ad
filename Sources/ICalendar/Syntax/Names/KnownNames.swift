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
    /// Busy times (RFC 5545 §3.6.4).
    public static let vfreebusy = Self(known: "VFREEBUSY")
    /// An alarm (RFC 5545 §3.6.6).
    public static let valarm = Self(known: "VALARM")
    /// A time zone (RFC 5545 §3.6.5).
    public static let vtimezone = Self(known: "VTIMEZONE")
    /// The standard time of a time zone (RFC 5545 §3.6.5).
    public static let standard = Self(known: "STANDARD")
    /// The daylight saving time of a time zone (RFC 5545 §3.6.5).
    public static let daylight = Self(known: "DAYLIGHT")
}

// Properties of RFC 5545 §3.7 and §3.8, RFC 7986, RFC 9074, and of programs that this project exchanges data with.
extension Name {
    package static let begin = Self(known: "BEGIN")
    package static let end = Self(known: "END")
    /// The time up to which an alarm is acknowledged (RFC 9074 §6.1).
    public static let acknowledged = Self(known: "ACKNOWLEDGED")
    /// The action of an alarm, such as DISPLAY (RFC 5545 §3.8.6.1).
    public static let action = Self(known: "ACTION")
    /// An attachment (RFC 5545 §3.8.1.1).
    public static let attach = Self(known: "ATTACH")
    /// A participant (RFC 5545 §3.8.4.1).
    public static let attendee = Self(known: "ATTENDEE")
    package static let calscale = Self(known: "CALSCALE")
    /// Labels (RFC 5545 §3.8.1.2).
    public static let categories = Self(known: "CATEGORIES")
    /// The access classification (RFC 5545 §3.8.1.3).
    public static let classification = Self(known: "CLASS")
    /// The colour as a name of CSS (RFC 7986 §5.9).
    public static let color = Self(known: "COLOR")
    /// A comment (RFC 5545 §3.8.1.4).
    public static let comment = Self(known: "COMMENT")
    /// The completion time of a to-do (RFC 5545 §3.8.2.1).
    public static let completed = Self(known: "COMPLETED")
    package static let conference = Self(known: "CONFERENCE")
    package static let contact = Self(known: "CONTACT")
    /// The creation time of a component (RFC 5545 §3.8.7.1).
    public static let created = Self(known: "CREATED")
    /// The notes of a component (RFC 5545 §3.8.1.5).
    public static let description = Self(known: "DESCRIPTION")
    /// The end of an event (RFC 5545 §3.8.2.2).
    public static let dtend = Self(known: "DTEND")
    /// The creation time of the iCalendar text of a component (RFC 5545 §3.8.7.2).
    public static let dtstamp = Self(known: "DTSTAMP")
    /// The start of a component (RFC 5545 §3.8.2.4).
    public static let dtstart = Self(known: "DTSTART")
    /// The due time of a to-do (RFC 5545 §3.8.2.3).
    public static let due = Self(known: "DUE")
    /// A length of time (RFC 5545 §3.8.2.5).
    public static let duration = Self(known: "DURATION")
    /// Excluded occurrences (RFC 5545 §3.8.5.1).
    public static let exdate = Self(known: "EXDATE")
    package static let exrule = Self(known: "EXRULE")
    /// A latitude and a longitude in degrees (RFC 5545 §3.8.1.6).
    public static let geo = Self(known: "GEO")
    package static let image = Self(known: "IMAGE")
    /// The time of the last change to a component (RFC 5545 §3.8.7.3).
    public static let lastModified = Self(known: "LAST-MODIFIED")
    /// The location as text (RFC 5545 §3.8.1.7).
    public static let location = Self(known: "LOCATION")
    package static let method = Self(known: "METHOD")
    package static let calendarName = Self(known: "NAME")
    /// The organizer (RFC 5545 §3.8.4.3).
    public static let organizer = Self(known: "ORGANIZER")
    /// The progress of a to-do in percent, 0 to 100 (RFC 5545 §3.8.1.8).
    public static let percentComplete = Self(known: "PERCENT-COMPLETE")
    /// The priority: 1 is the highest, 9 is the lowest, and 0 means undefined (RFC 5545 §3.8.1.9).
    public static let priority = Self(known: "PRIORITY")
    /// The program that wrote the text (RFC 5545 §3.7.3).
    public static let prodid = Self(known: "PRODID")
    /// Whether an alarm fires at the arrival at a place or at the departure from it (RFC 9074 §8.1).
    package static let proximity = Self(known: "PROXIMITY")
    /// Additional occurrences (RFC 5545 §3.8.5.2).
    public static let rdate = Self(known: "RDATE")
    /// The occurrence that a component overrides (RFC 5545 §3.8.4.4).
    public static let recurrenceID = Self(known: "RECURRENCE-ID")
    /// The suggested refresh interval of a subscription (RFC 7986 §5.7).
    package static let refreshInterval = Self(known: "REFRESH-INTERVAL")
    /// The UID of a related component (RFC 5545 §3.8.4.5).
    public static let relatedTo = Self(known: "RELATED-TO")
    /// The number of repetitions of an alarm (RFC 5545 §3.8.6.2).
    public static let repeatCount = Self(known: "REPEAT")
    package static let resources = Self(known: "RESOURCES")
    /// A rule of recurrence (RFC 5545 §3.8.5.3).
    public static let rrule = Self(known: "RRULE")
    /// The number of the revision of a component (RFC 5545 §3.8.7.4).
    public static let sequence = Self(known: "SEQUENCE")
    package static let source = Self(known: "SOURCE")
    /// The status of a component, such as COMPLETED (RFC 5545 §3.8.1.11).
    public static let status = Self(known: "STATUS")
    /// The title of a component (RFC 5545 §3.8.1.12).
    public static let summary = Self(known: "SUMMARY")
    package static let transp = Self(known: "TRANSP")
    /// The time of an alarm (RFC 5545 §3.8.6.3).
    public static let trigger = Self(known: "TRIGGER")
    /// The name of a time zone, as a property (RFC 5545 §3.8.3.1) and as a parameter (RFC 5545 §3.2.19).
    public static let tzid = Self(known: "TZID")
    package static let tzoffsetfrom = Self(known: "TZOFFSETFROM")
    package static let tzoffsetto = Self(known: "TZOFFSETTO")
    package static let tzname = Self(known: "TZNAME")
    /// The identifier of a component (RFC 5545 §3.8.4.7) or of an alarm (RFC 9074 §4).
    public static let uid = Self(known: "UID")
    /// The address of further information about a component (RFC 5545 §3.8.4.6).
    public static let url = Self(known: "URL")
    /// The version of iCalendar, 2.0 (RFC 5545 §3.7.4).
    public static let version = Self(known: "VERSION")
    /// The notes as HTML, in files of Outlook and Thunderbird.
    package static let altDescription = Self(known: "X-ALT-DESC")
    /// The time of the last dismissal in Thunderbird and Tasks.org: alarms up to this time are dismissed.
    package static let mozLastAck = Self(known: "X-MOZ-LASTACK")
    /// The end of a snooze in Thunderbird and Tasks.org.
    package static let mozSnoozeTime = Self(known: "X-MOZ-SNOOZE-TIME")
    /// A label with its colour; this project writes the property into the VCALENDAR.
    package static let label = Self(known: "X-REMINDAV-LABEL")
    /// The name of the calendar, in files of Apple, Google and others.
    package static let wrCalendarName = Self(known: "X-WR-CALNAME")
    /// Outlook's refresh interval ([MS-OXCICAL] 2.1.3.1.1.15).
    package static let publishedTTL = Self(known: "X-PUBLISHED-TTL")
}

// Parameters (RFC 5545 §3.2).
extension Name {
    /// The parameter of ``label`` with its colour: `#RRGGBB`.
    package static let labelColor = Self(known: "X-COLOR")
    /// The parameter of ``label`` with its UUID.
    package static let labelID = Self(known: "X-ID")
    package static let labelUpdated = Self(known: "X-UPDATED")
    /// The language of a text (RFC 5545 §3.2.10).
    public static let language = Self(known: "LANGUAGE")
    /// Whether a trigger counts from the start or the end (RFC 5545 §3.2.14).
    public static let related = Self(known: "RELATED")
    /// The kind of a relation (RFC 5545 §3.2.15).
    public static let reltype = Self(known: "RELTYPE")
    package static let range = Self(known: "RANGE")
    package static let encoding = Self(known: "ENCODING")
    /// The type of a value (RFC 5545 §3.2.20).
    public static let value = Self(known: "VALUE")
}
