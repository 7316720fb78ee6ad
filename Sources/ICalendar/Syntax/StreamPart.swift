extension ComponentSplitter {
    /// A part that was split off the stream.
    public enum Part: Sendable {
        /// A BEGIN:VCALENDAR.
        case calendarBegin(line: Int)
        /// The physical lines of a property of the VCALENDAR itself.
        case property(bytes: [UInt8], line: Int)
        /// A component directly inside a VCALENDAR, or one without a VCALENDAR, from BEGIN to END.
        case component(name: Name, bytes: [UInt8], line: Int)
        /// An END:VCALENDAR.
        case calendarEnd
        /// A part that was left out.
        case issue(ParseIssue)
    }
}
