import RemindavICalendar
import Testing

@Suite("RFC 7986: the examples of the new properties")
struct RFC7986Tests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("5.1", "NAME:Company Vacation Days", "Company Vacation Days"),
        Example("5.3", "UID:5FC53010-1267-4F8E-BC28-1D7AE55A7C99", "5FC53010-1267-4F8E-BC28-1D7AE55A7C99"),
        Example("5.7", "REFRESH-INTERVAL;VALUE=DURATION:P1W", .duration, .duration(CalendarDuration(days: 7))),
        Example("5.8", "SOURCE;VALUE=URI:https://example.com/holidays.ics", .uri, .uri("https://example.com/holidays.ics")),
        Example("5.9", "COLOR:turquoise", "turquoise"),
        Example("5.10", "IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/png:http://example.com/images/party.png", .uri, .uri("http://example.com/images/party.png")).with("DISPLAY", "BADGE").with("FMTTYPE", "image/png"),
        Example("5.11", "CONFERENCE;VALUE=URI;FEATURE=PHONE,MODERATOR;LABEL=Moderator dial-in:tel:+1-412-555-0123,,,654321", .uri, .uri("tel:+1-412-555-0123,,,654321")).with("FEATURE", "PHONE", "MODERATOR").with("LABEL", "Moderator dial-in"),
        Example("5.11", "CONFERENCE;VALUE=URI;FEATURE=PHONE;LABEL=Attendee dial-in:tel:+1-412-555-0123,,,555123", .uri, .uri("tel:+1-412-555-0123,,,555123")).with("FEATURE", "PHONE").with("LABEL", "Attendee dial-in"),
        Example("5.11", "CONFERENCE;VALUE=URI;FEATURE=PHONE;LABEL=Attendee dial-in:tel:+1-888-555-0456,,,555123", .uri, .uri("tel:+1-888-555-0456,,,555123")).with("FEATURE", "PHONE").with("LABEL", "Attendee dial-in"),
        Example("5.11", "CONFERENCE;VALUE=URI;FEATURE=CHAT;LABEL=Chat room:xmpp:chat-123@conference.example.com", .uri, .uri("xmpp:chat-123@conference.example.com")).with("FEATURE", "CHAT").with("LABEL", "Chat room"),
        Example("5.11", "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL=Attendee dial-in:https://chat.example.com/audio?id=123456", .uri, .uri("https://chat.example.com/audio?id=123456")).with("FEATURE", "AUDIO", "VIDEO").with("LABEL", "Attendee dial-in"),
        Example("6.1", "IMAGE;VALUE=URI;DISPLAY=BADGE,THUMBNAIL;FMTTYPE=image/png:https://example.com/images/weather-cloudy.png", .uri, .uri("https://example.com/images/weather-cloudy.png")).with("DISPLAY", "BADGE", "THUMBNAIL").with("FMTTYPE", "image/png"),
        Example("6.2", "ATTENDEE;CN=Cyrus Daboo;EMAIL=cyrus@example.com:mailto:opaque-token-1234@example.com", .calAddress, .calAddress("mailto:opaque-token-1234@example.com")).with("CN", "Cyrus Daboo").with("EMAIL", "cyrus@example.com"),
        Example("6.3", "CONFERENCE;VALUE=URI;FEATURE=AUDIO:rtsp://audio.example.com/event", .uri, .uri("rtsp://audio.example.com/event")).with("FEATURE", "AUDIO"),
        Example("6.3", "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:https://video-chat.example.com/;group-id=1234", .uri, .uri("https://video-chat.example.com/;group-id=1234")).with("FEATURE", "AUDIO", "VIDEO"),
        // The text has a semicolon before the colon: TextFaultTests.
        Example("6.4", #"CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL="Web video chat, access code=76543":https://video-chat.example.com/;group-id=1234"#, .uri, .uri("https://video-chat.example.com/;group-id=1234")).with("FEATURE", "VIDEO").with("LABEL", "Web video chat, access code=76543"),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
