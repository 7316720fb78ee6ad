import RemindavICalendar
import Testing

@Suite("RFC 5545 3.7, 3.8.1: calendar and descriptive properties")
struct RFC5545DescriptiveTests {
    // swift-format-ignore
    static let examples: [Example] = [
        Example("3.7.1", "CALSCALE:GREGORIAN", "GREGORIAN"),
        Example("3.7.2", "METHOD:REQUEST", "REQUEST"),
        Example("3.7.3", "PRODID:-//ABC Corporation//NONSGML My Product//EN", "-//ABC Corporation//NONSGML My Product//EN"),
        Example("3.7.4", "VERSION:2.0", "2.0"),
        Example("3.8.1.1", "ATTACH:CID:jsmith.part3.960817T083000.xyzMail@example.com", .uri, .uri("CID:jsmith.part3.960817T083000.xyzMail@example.com")),
        Example("3.8.1.1", "ATTACH;FMTTYPE=application/postscript:ftp://example.com/pub/reports/r-960812.ps", .uri, .uri("ftp://example.com/pub/reports/r-960812.ps")).with("FMTTYPE", "application/postscript"),
        Example("3.8.1.2", "CATEGORIES:APPOINTMENT,EDUCATION", .text, .text("APPOINTMENT"), .text("EDUCATION")),
        Example("3.8.1.2", "CATEGORIES:MEETING", "MEETING"),
        Example("3.8.1.3", "CLASS:PUBLIC", "PUBLIC"),
        Example("3.8.1.4", #"COMMENT:The meeting really needs to include both ourselves and the customer. We can't hold this meeting without them. As a matter of fact\, the venue for the meeting ought to be at their site. - - John"#, "The meeting really needs to include both ourselves and the customer. We can't hold this meeting without them. As a matter of fact, the venue for the meeting ought to be at their site. - - John"),
        Example("3.8.1.5", #"DESCRIPTION:Meeting to provide technical review for "Phoenix" design.\nHappy Face Conference Room. Phoenix design team MUST attend this meeting.\nRSVP to team leader."#, "Meeting to provide technical review for \"Phoenix\" design.\nHappy Face Conference Room. Phoenix design team MUST attend this meeting.\nRSVP to team leader."),
        Example("3.8.1.6", "GEO:37.386013;-122.082932", .float, .float(37.386013), .float(-122.082932)),
        Example("3.8.1.7", #"LOCATION:Conference Room - F123\, Bldg. 002"#, "Conference Room - F123, Bldg. 002"),
        Example("3.8.1.7", #"LOCATION;ALTREP="http://xyzcorp.com/conf-rooms/f123.vcf":Conference Room - F123\, Bldg. 002"#, "Conference Room - F123, Bldg. 002").with("ALTREP", "http://xyzcorp.com/conf-rooms/f123.vcf"),
        Example("3.8.1.8", "PERCENT-COMPLETE:39", .integer, .integer(39)),
        Example("3.8.1.9", "PRIORITY:1", .integer, .integer(1)),
        Example("3.8.1.9", "PRIORITY:2", .integer, .integer(2)),
        Example("3.8.1.9", "PRIORITY:0", .integer, .integer(0)),
        Example("3.8.1.10", "RESOURCES:EASEL,PROJECTOR,VCR", .text, .text("EASEL"), .text("PROJECTOR"), .text("VCR")),
        Example("3.8.1.10", "RESOURCES;LANGUAGE=fr:Nettoyeur haute pression", "Nettoyeur haute pression").with("LANGUAGE", "fr"),
        Example("3.8.1.11", "STATUS:TENTATIVE", "TENTATIVE"),
        Example("3.8.1.11", "STATUS:NEEDS-ACTION", "NEEDS-ACTION"),
        Example("3.8.1.11", "STATUS:DRAFT", "DRAFT"),
        Example("3.8.1.12", "SUMMARY:Department Party", "Department Party"),
    ]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
