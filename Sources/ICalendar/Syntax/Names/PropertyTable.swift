// RFC 5545 §3.6 to §3.8, RFC 7808, RFC 7953 §3, RFC 7986 §5, RFC 9073 §6, RFC 9074, RFC 9253 §8.
//
// One row per property: its types, its separator, its parameters, and its allowed number in each `ComponentKind`:
// `1` exactly once, `?` at most once, `*` any number, `~` any number although one is advised, `-` not allowed.
extension PropertyDefinition {
    // swift-format-ignore
    package static let all: [Self] = [
        //                                               VCALENDAR, VEVENT VTODO VJOURNAL VFREEBUSY, VTIMEZONE observance,
        //                                      VALARM, VAVAILABILITY AVAILABLE, PARTICIPANT VLOCATION VRESOURCE
        // The calendar (RFC 5545 §3.7; RFC 7986 §5).
        Self("CALSCALE", [.text],                                     at: "? ---- -- - -- ---"),
        Self("METHOD", [.text],                                       at: "? ---- -- - -- ---"),
        Self("PRODID", [.text],                                       at: "1 ---- -- - -- ---"),
        Self("VERSION", [.text], .semicolon,                          at: "1 ---- -- - -- ---"),
        Self("NAME", [.text], .single, .text,                         at: "* ---- -- - -- -??"),
        Self("REFRESH-INTERVAL", [.duration],                         at: "? ---- -- - -- ---"),
        Self("SOURCE", [.uri],                                        at: "? ---- -- - -- ---"),
        Self("COLOR", [.text],                                        at: "? ???- -- - -- ---"),
        Self("IMAGE", [.uri, .binary], .single, .image,               at: "* ***- -- - -- ---"),
        Self("CONFERENCE", [.uri], .single, .conference,              at: "- **-- -- - -- ---"),
        // Descriptive properties (RFC 5545 §3.8.1).
        Self("ATTACH", [.uri, .binary], .single, .attachment,         at: "- ***- -- * -- *--"),
        Self("CATEGORIES", [.text], .comma, .language,                at: "* ***- -- - ** *--"),
        Self("CLASS", [.text],                                        at: "- ???- -- - ?- ---"),
        Self("COMMENT", [.text], .single, .text,                      at: "- **** -* - ** *--"),
        Self("DESCRIPTION", [.text], .single, .text,                  at: "* ??*- -- ? ?? ???"),
        Self("GEO", [.float], .semicolon,                             at: "- ??-- -- - -- ???"),
        Self("LOCATION", [.text], .single, .text,                     at: "- ??-- -- - ?? *--"),
        Self("PERCENT-COMPLETE", [.integer], range: 0...100,          at: "- -?-- -- - -- ---"),
        Self("PRIORITY", [.integer], range: 0...9,                    at: "- ??-- -- - ?- ?--"),
        Self("RESOURCES", [.text], .comma, .text,                     at: "- **-- -- - -- *--"),
        Self("STATUS", [.text],                                       at: "- ???- -- - -- ?--"),
        Self("SUMMARY", [.text], .single, .text,                      at: "- ???- -- ? ?? ?--"),
        // Times (RFC 5545 §3.8.2).
        Self("COMPLETED", [.dateTime],                                at: "- -?-- -- - -- ---"),
        Self("DTEND", [.dateTime, .date], .single, .zone,             at: "- ?--? -- - ?? ---"),
        Self("DUE", [.dateTime, .date], .single, .zone,               at: "- -?-- -- - -- ---"),
        Self("DTSTART", [.dateTime, .date], .single, .zone,           at: "- ???? -1 - ?1 ---"),
        Self("DURATION", [.duration],                                 at: "- ??-- -- ? ?? ---"),
        Self("FREEBUSY", [.period], .comma, .freeBusy,                at: "- ---* -- - -- ---"),
        Self("TRANSP", [.text],                                       at: "- ?--- -- - -- ---"),
        // Zones (RFC 5545 §3.8.3; RFC 7808 §7).
        Self("TZID", [.text],                                         at: "- ---- 1- - -- ---"),
        Self("TZNAME", [.text], .single, .language,                   at: "- ---- -* - -- ---"),
        Self("TZOFFSETFROM", [.utcOffset],                            at: "- ---- -1 - -- ---"),
        Self("TZOFFSETTO", [.utcOffset],                              at: "- ---- -1 - -- ---"),
        Self("TZURL", [.uri],                                         at: "- ---- ?- - -- ---"),
        Self("TZUNTIL", [.dateTime],                                  at: "- ---- ?- - -- ---"),
        Self("TZID-ALIAS-OF", [.text],                                at: "- ---- *- - -- ---"),
        // Relationship properties (RFC 5545 §3.8.4).
        Self("ATTENDEE", [.calAddress], .single, .attendee,           at: "- **** -- * -- ---"),
        Self("CONTACT", [.text], .single, .text,                      at: "- ***? -- - ** *--"),
        Self("ORGANIZER", [.calAddress], .single, .organizer,         at: "- ???? -- - ?- ---"),
        Self("RECURRENCE-ID", [.dateTime, .date], .single, .zoneAndRange, at: "- ???- -- - -? ---"),
        Self("RELATED-TO", [.text, .uid, .uri], .single, .relation,   at: "- **** ** * ** ***"),
        Self("URL", [.uri],                                           at: "? ???? -- - ?- ??-"),
        Self("UID", [.text],                                          at: "? 1111 -- ? 11 111"),
        // Recurrence (RFC 5545 §3.8.5; EXRULE: RFC 2445 §4.8.5.2).
        Self("EXDATE", [.dateTime, .date], .comma, .zone,             at: "- ***- -- - -* ---"),
        Self("EXRULE", [.recur],                                      at: "- ***- -- - -- ---"),
        Self("RDATE", [.dateTime, .date, .period], .comma, .zone,     at: "- ***- -* - -* ---"),
        Self("RRULE", [.recur],                                       at: "- ~~~- -~ - -~ ---"),
        // Alarms (RFC 5545 §3.8.6; RFC 9074).
        Self("ACTION", [.text],                                       at: "- ---- -- 1 -- ---"),
        Self("REPEAT", [.integer],                                    at: "- ---- -- ? -- ---"),
        Self("TRIGGER", [.duration, .dateTime], .single, .related,    at: "- ---- -- 1 -- ---"),
        Self("ACKNOWLEDGED", [.dateTime],                             at: "- ---- -- ? -- ---"),
        Self("PROXIMITY", [.text],                                    at: "- ---- -- ? -- ---"),
        // Change management (RFC 5545 §3.8.7, §3.8.8.3).
        Self("CREATED", [.dateTime],                                  at: "- ???- -- - ?? ?--"),
        Self("DTSTAMP", [.dateTime],                                  at: "- 1111 -- - 11 ?--"),
        Self("LAST-MODIFIED", [.dateTime],                            at: "? ???- ?- - ?? ?--"),
        Self("SEQUENCE", [.integer],                                  at: "- ???- -- - ?- ?--"),
        Self("REQUEST-STATUS", [.text], .semicolon, .language,        at: "- **** -- - -- *--"),
        // Availability, places, participants, links (RFC 7953; RFC 9073; RFC 9253).
        Self("BUSYTYPE", [.text],                                     at: "- ---- -- - ?- ---"),
        Self("CALENDAR-ADDRESS", [.calAddress],                       at: "- ---- -- - -- ?--"),
        Self("LOCATION-TYPE", [.text], .comma,                        at: "- ---- -- - -- -?-"),
        Self("PARTICIPANT-TYPE", [.text],                             at: "- ---- -- - -- 1--"),
        Self("RESOURCE-TYPE", [.text],                                at: "- ---- -- - -- --?"),
        Self("STRUCTURED-DATA", [.text, .binary, .uri], .single, .structured, at: "- **** -- - -- ***"),
        Self("STYLED-DESCRIPTION", [.text, .uri], .single, .styled,   at: "- **** -- * -- ***"),
        Self("CONCEPT", [.uri],                                       at: "- **** ** * ** ***"),
        Self("LINK", [.uri, .text, .uid, .xmlReference], .single, .link, at: "* **** ** * ** ***"),
        Self("REFID", [.text],                                        at: "- **** ** * ** ***"),
        // Extensions of Thunderbird and Tasks.org.
        Self("X-MOZ-LASTACK", [.dateTime],                            at: "* **** ** * ** ***"),
        Self("X-MOZ-SNOOZE-TIME", [.dateTime],                        at: "* **** ** * ** ***"),
    ]
}
