extension ComponentSplitter {
    /// What was cut off the stream.
    public enum Part: Sendable {
        /// A BEGIN:VCALENDAR.
        case calendarBegin(line: Int)
        /// The physical lines of a property of the VCALENDAR itself.
        case property(bytes: [UInt8], line: Int)
        /// A component directly inside a VCALENDAR, or one that stands alone, from BEGIN to END.
        case component(name: Name, bytes: [UInt8], line: Int)
        /// An END:VCALENDAR.
        case calendarEnd
        /// Something that was left out.
        case issue(ParseIssue)
    }
}
