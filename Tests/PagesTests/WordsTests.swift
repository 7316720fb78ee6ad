import Testing

@testable import RemindavPages

@Suite("web pages: the strings of the requirement documents")
struct WordsTests {
    @Test("the pages have the strings of the documents, verbatim")
    func table() {
        let documents = [
            "Reminders", "Today", "Upcoming", "Completed", "No reminders yet", "Add your first reminder",
            "New Reminder",
            "Edit Reminder", "Title", "Reminder title", "What do you need to remember?", "Notes (optional)", "Schedule",
            "Date", "Time", "Repeat", "Recurrence", "Never", "Daily", "Weekly", "Monthly", "Cancel", "Save",
            "Title is required", "Must be in the future", "Reminder not found", "Delete Reminder", "Complete",
            "Uncomplete", "Mark Complete", "Mark Incomplete", "Snooze", "5 minutes", "15 minutes", "30 minutes",
            "1 hour", "Delete", "Edit", "Delete Reminder?", "Are you sure you want to delete 'TITLE'?", "Labels",
            "New Label", "Edit Label", "Label name", "Color", "Preview", "Label Name", "No labels yet",
            "Add your first label", "Delete Label",
            "Are you sure you want to delete 'NAME'? Reminders with this label will keep their data but lose the label association.",
            "Enable Notifications",
            "Get notified when your reminders are due so you never miss an important task.", "Maybe Later",
            "Time for your reminder!",
        ]
        #expect(Words.allCases.map(\.rawValue) == documents)
    }

    @Test("the screens show the strings at their places")
    func screens() async throws {
        let browser = try await TestBrowser()
        let empty = await browser.text("/")
        #expect(empty.contains("<h1>Reminders</h1>") && empty.contains(">No reminders yet</p>"))
        #expect(
            empty.contains("href=\"/add\">Add your first reminder</a>")
                && empty.contains("aria-label=\"Add reminder\">+<")
        )
        _ = await browser.post("/quick", ["text": "Milk tomorrow 9am #home"])
        let expected: [(String, [String])] = [
            (
                "/",
                [
                    "<h2 id=\"upcoming\" tabindex=\"-1\">Upcoming (1)</h2>", "aria-label=\"Complete: Milk\"",
                    ">Delete</a>",
                ]
            ),
            (
                "/add",
                [
                    "<title>New Reminder</title>", ">New Reminder</h1>", ">Reminder title</label>",
                    "placeholder=\"Title\"", "What do you need to remember?", ">Notes (optional)</label>",
                    "<legend>Schedule</legend>", ">Date</label>", "aria-label=\"Select date\"", ">Time</label>",
                    "aria-label=\"Select time\"", "<legend>Repeat</legend>", ">Recurrence</label>",
                    "<option value=\"never\" selected=\"\">Never</option><option value=\"daily\">Daily</option>",
                    "<option value=\"weekly\">Weekly</option><option value=\"monthly\">Monthly</option>",
                    ">Cancel</a><button class=\"button main-button\">Save</button>",
                    "<summary>Labels, priority, list</summary>", "enterkeyhint=\"done\"", "rows=\"3\"",
                ]
            ),
            (
                "/r/1",
                [
                    "<title>Edit Reminder</title>", ">Edit Reminder</h1>",
                    "aria-describedby=\"delete-note\">Delete Reminder</a>", ">Asks for confirmation</small>",
                ]
            ),
            ("/r/1/delete", ["<h1>Delete Reminder?</h1>", "Are you sure you want to delete '<bdi>Milk</bdi>'?"]),
            (
                "/r/1/actions",
                [
                    ">Mark Complete</button>", "<h2>Snooze</h2>", "value=\"snooze 1 5m\">5 minutes</button>",
                    "value=\"snooze 1 15m\">15 minutes</button>", "value=\"snooze 1 30m\">30 minutes</button>",
                    "value=\"snooze 1 1h\">1 hour</button>", ">Tomorrow 09:00</button>", ">Other…</a>",
                    ">Edit</a><a class=\"button danger-button\" href=\"/r/1/delete\">Delete</a>",
                ]
            ),
            (
                "/labels",
                [
                    "<h1>Labels</h1>", "aria-label=\"New Label\">+<",
                    "href=\"/labels\" aria-current=\"page\">Labels</a>",
                ]
            ),
            (
                "/labels/add",
                [
                    "<h1>New Label</h1>", ">Label name</label>", "<legend>Color</legend>", "Preview: ",
                    ">Label Name</bdi>",
                ]
            ),
            ("/label?name=home", ["<h1>Edit Label</h1>", ">Delete Label</a>"]),
        ]
        for (address, parts) in expected {
            let page = await browser.text(address).replacing("&#39;", with: "'")
            for part in parts { #expect(page.contains(part), "\(address): \(part) in \(page)") }
        }
        #expect(try await TestBrowser().text("/labels").contains("Add your first label"))
    }
}
