import RemindavHTML

/// The fields of a form that choose reminders by their list and labels.
struct ReminderChoice: Part {
    let lists: [String]
    /// The chosen list; empty for all lists.
    let list: String
    /// Names with commas between them; empty for all reminders.
    let labels: String
    var problem: String?

    var body: some HTML {
        SelectField(
            "list",
            "List",
            [(value: "", name: "All lists")] + self.lists.map { (value: $0, name: $0) },
            chosen: self.list,
            problem: self.problem
        )
        TextField("labels", "Labels, with commas between them", value: self.labels, note: "Empty: all reminders.")
    }
}
