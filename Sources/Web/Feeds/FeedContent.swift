package import ICalendar

/// What a feed publishes, as the store holds it at one moment.
package struct FeedContent: Sendable {
    /// What the calendar is called at the subscriber's.
    package let name: String
    /// The calendar objects in any order, done ones too: the feed chooses and sorts.
    package let objects: [CalendarObject]

    /// Everything at once.
    package init(name: String, objects: [CalendarObject]) {
        self.name = name
        self.objects = objects
    }
}
