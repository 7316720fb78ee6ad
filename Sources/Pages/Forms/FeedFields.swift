import RemindavBridge

/// The texts in the form of a new feed.
struct FeedFields: Hashable, Sendable {
    enum Field: String, Sendable {
        case name, list
    }

    var name = ""
    /// The name of the list; empty for all lists.
    var list = ""
    /// Names with commas between them.
    var labels = ""
    var style = FeedForm.event
    var showsPrivate = false
    var showsAlarms = false

    init() {}

    init(_ fields: FormFields) {
        self.name = fields["name"] ?? ""
        self.list = fields["list"] ?? ""
        self.labels = fields["labels"] ?? ""
        self.style = fields["style"].flatMap(FeedForm.init) ?? .event
        self.showsPrivate = fields["private"] != nil
        self.showsAlarms = fields["alarms"] != nil
    }
}
