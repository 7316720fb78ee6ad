import RemindavICalendar
import Testing

@Suite("RFC 7953: the example of its property; its components are in ComponentExampleTests")
struct RFC7953Tests {
    static let examples: [Example] = [Example("3.2", "BUSYTYPE:BUSY", "BUSY")]

    @Test("an example has the meaning in the text of the RFC", arguments: examples)
    func example(_ example: Example) throws { try example.verify() }
}
