import HTML

/// The fields of a form that choose reminders by their list and labels.
struct ReminderChoice: Part {
    let lists: [String]
    /// The chosen list; empty for all lists.
    let list: String
    /// Names with commas between them; empty for all reminders.
    let labels: String
    var problem: String?

    var body: some HTML {
        let chosen = self.list
        Field("list", "List", problem: self.problem) {
            select(.id("list"), .name("list"), .describedBy("list-note")) {
                option(.value("")) { "All lists" }
                Each(self.lists) { name in option(.value(name), name == chosen ? .isSelected : nil) { name } }
            }
        }
        Field("labels", "Labels, with commas between them", note: "Empty: all reminders.") {
            input(
                .type(.text),
                .id("labels"),
                .name("labels"),
                .value(self.labels),
                .autocomplete("off"),
                .describedBy("labels-note")
            )
        }
    }
}
