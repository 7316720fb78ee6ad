/// Other names of commands.
///
/// They are not in ``CommandTable``, because commands name them in messages, and the table names all commands.
enum CommandAliases {
    /// The names that users of similar programs type, each with the words that it means.
    static let words: KeyValuePairs<String, [String]> = [
        "a": ["add"], "new": ["add"], "d": ["done"], "do": ["done"], "complete": ["done"], "skip": ["done", "--skip"],
        "e": ["edit"], "s": ["snooze"], "rm": ["delete"], "r": ["undone"], "reopen": ["undone"], "u": ["undo"],
        "ls": ["list"], "all": ["list", "--all"],
        "t": Self.section("today"), "today": Self.section("today"), "o": ["list", "--overdue"],
        "overdue": ["list", "--overdue"], "w": Self.week, "week": Self.week, "nodate": ["list", "--no-date"],
        "upcoming": ["list"], "c": Self.section("completed"), "completed": Self.section("completed"),
        "tags": ["labels"], "count": ["stats"],
        "exp": ["export"], "start": Self.status("in-progress"), "stop": Self.status("pending"),
        "modify": ["edit"], "mod": ["edit"], "next": ["list"], "ready": ["list", "--not-blocked"],
        "waiting": ["list", "--not-started"], "active": ["list", "--in-progress"], "blocked": ["list", "--blocked"],
        "projects": ["lists"],
    ]

    /// The names that take an ID and a text, with the option of `edit` that gets the text.
    static let texts: KeyValuePairs<String, String> = [
        "n": "--add-notes", "note": "--add-notes", "annotate": "--add-notes", "rn": "--title", "rename": "--title",
    ]

    private static func status(_ name: String) -> [String] { ["edit", "--status", name] }

    private static func section(_ name: String) -> [String] { ["list", "--section", name] }
    /// Monday is the first one after today, so the week ends with the next Sunday.
    private static let week = ["list", "--due-before", "monday"]
}
