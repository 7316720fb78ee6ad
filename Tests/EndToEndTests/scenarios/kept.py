"""The content of a text after a server, and this program, have processed it."""

from scenarios import scenario, texts

STRANGE = [
    "SUMMARY:Bread", "X-EXAMPLE-NOTE;X-KIND=plain:kept as it is", "URL:https://example.org/bread",
    "X-APPLE-SORT-ORDER:42", "RELATED-TO;RELTYPE=PARENT:somebody-else", "LOCATION:Bakery", "PERCENT-COMPLETE:30",
    "SEQUENCE:3", "CLASS:PRIVATE", "COMMENT:A remark",
]


@scenario("Properties of other programs survive an edit of ours")
def unknown_properties(stage):
    path, laptop, desk = stage.pair({"one": STRANGE})
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.settle(laptop, desk)
    held = stage.peer.held(path)["one"]
    for line in STRANGE[1:]:
        name = texts.name_of(line)
        if name != "SEQUENCE":
            stage.equal(held[name], line.split(":", 1)[1], name)


@scenario("Unknown components survive an edit of ours", "keeps unknown components")
def unknown_components(stage):
    path = stage.list()
    inner = ["BEGIN:X-EXAMPLE", "X-INSIDE:kept", "END:X-EXAMPLE"]
    stage.peer.put_text(path, texts.calendar(texts.component("one", "SUMMARY:Bread", *inner)), "one.ics")
    laptop = stage.device()
    laptop.sync()
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    laptop.sync()
    text = stage.peer.held(path)["one"].text
    stage.equal("X-INSIDE:kept" in text, stage.can("keeps unknown components"))
    stage.check.assertIn("Rye bread", text)


@scenario("Names from later standards survive an edit of ours", "keeps new properties")
def new_properties(stage):
    path, laptop = stage.one("SUMMARY:Bread", "CONCEPT:https://example.org/food", "REFID:shopping")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    laptop.sync()
    held = stage.peer.held(path)["one"]
    kept = ("https://example.org/food", "shopping")
    stage.equal((held["CONCEPT"], held["REFID"]), kept if stage.can("keeps new properties") else (None, None))
    stage.quiet(laptop)


@scenario("A text that we did not edit stays on the server byte for byte", "keeps every byte")
def bytes_kept(stage):
    path = stage.list()
    data = texts.calendar(texts.component(
        "one", "X-ZULU;X-B=2;X-A=1:last first", "SUMMARY:Bread", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=5",
        "DTSTART:20350301T090000Z", "DURATION:PT90M", "CATEGORIES:Food,Home"))
    stage.peer.put_text(path, data, "one.ics")
    laptop = stage.device()
    laptop.sync()
    laptop.sync_until_quiet()
    there = stage.peer.held(path)["one"].data
    stage.equal(there == data, stage.can("keeps every byte"))
    # The local text equals the text that the server stored.
    exported = laptop.run("export", "--list", "Tasks").bytes
    names = [texts.name_of(line) for line in texts.unfolded(there)]
    for name in ("X-ZULU", "RRULE", "DURATION", "CATEGORIES"):
        if name in names:
            stage.equal(texts.lines_of(exported, name), texts.lines_of(there, name))


@scenario("An edit of ours changes its own line and leaves the others as the server has them")
def one_line(stage):
    path, laptop = stage.one(*STRANGE)
    before = stage.peer.held(path)["one"]
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    laptop.sync()
    after = stage.peer.held(path)["one"]
    volatile = ("SUMMARY", "LAST-MODIFIED", "DTSTAMP", "SEQUENCE", "PRODID")
    kept = [sorted(line for line in texts.unfolded(one.data) if texts.name_of(line) not in volatile) for one in (before, after)]
    stage.equal(kept[1], kept[0])


@scenario("Commas, semicolons, backslashes, quotes and line ends in a title and in notes arrive unchanged")
def special_characters(stage):
    path, laptop, desk = stage.pair()
    title = 'Bread, milk; "cheese" \\ <b> & ]]> 100 %'
    notes = "First line\nSecond; line, with \\n in it\n\nFourth"
    uid = laptop.json("add", title, "--notes", notes, "--list", "Tasks")["uid"]
    stage.settle(laptop, desk)
    entry = desk.by_uid(uid)
    stage.equal((entry["title"], entry["notes"]), (title, notes))
    stage.equal(stage.peer.held(path)[uid]["SUMMARY"], title)
    stage.edit_here(desk, uid, "--priority", "high")
    stage.settle(laptop, desk)
    entry = laptop.by_uid(uid)
    stage.equal((entry["title"], entry["notes"]), (title, notes))


@scenario("Text of every script, with emoji and combining marks, arrives code point by code point")
def unicode(stage):
    path, laptop, desk = stage.pair()
    title = "Brötchen 🥖 パン خبز לחם хлеб e\u0301 é 👩‍👩‍👧 \u200fx\u200e"
    uid = laptop.json("add", title, "--label", "Größe 🌻", "--list", "Tasks")["uid"]
    stage.peer.put(path, "there", "SUMMARY:" + title)
    stage.settle(laptop, desk)
    for one in (uid, "there"):
        stage.equal(desk.by_uid(one)["title"], title)
        stage.equal(stage.peer.held(path)[one]["SUMMARY"], title)
    stage.equal(desk.by_uid(uid)["labels"], ["Größe 🌻"])
    stage.quiet(laptop, desk)


@scenario("Long lines, folded in the middle of a character's bytes or not, arrive whole")
def folding(stage):
    path, laptop, desk = stage.pair()
    title = "ü" * 200 + " " + "🌻" * 60 + " end"
    uid = laptop.json("add", title, "--list", "Tasks")["uid"]
    stage.settle(laptop, desk)
    stage.equal(desk.by_uid(uid)["title"], title)
    stage.equal(stage.peer.held(path)[uid]["SUMMARY"], title)


@scenario("Days, zoned times, floating times and UTC times keep their type")
def dates(stage):
    path = stage.list()
    lines = {
        "day": ["SUMMARY:Day", "DUE;VALUE=DATE:20350301"], "moment": ["SUMMARY:Moment", "DUE:20350301T090000Z"],
        "floating": ["SUMMARY:Floating", "DUE:20350301T090000"],
    }
    for uid, one in lines.items():
        stage.peer.put(path, uid, *one)
    laptop = stage.device()
    laptop.sync()
    stage.equal(laptop.by_uid("day")["due"], "2035-03-01")
    stage.equal(laptop.by_uid("day")["allDay"], True)
    stage.equal(laptop.by_uid("moment")["due"], "2035-03-01T09:00:00Z")
    stage.equal(laptop.by_uid("floating")["dueZone"], None)
    uid = laptop.json("add", "Zoned", "--due", "2035-07-01 09:00", "--list", "Tasks")["uid"]
    for one in lines:
        stage.edit_here(laptop, one, "--priority", "high")
    laptop.sync()
    held = stage.peer.held(path)
    stage.equal([held[one].lines("DUE")[0] for one in lines],
                ["DUE;VALUE=DATE:20350301", "DUE:20350301T090000Z", "DUE:20350301T090000"])
    stage.check.assertRegex(held[uid].lines("DUE")[0], "^DUE;TZID=Europe/Berlin:20350701T090000$|^DUE:20350701T070000Z$")


@scenario("Every status and every priority is kept in both directions")
def states(stage):
    wanted = {"NEEDS-ACTION": "pending", "IN-PROCESS": "inProgress", "COMPLETED": "completed", "CANCELLED": "cancelled"}
    path = stage.list()
    for status in wanted:
        more = ["COMPLETED:20260101T000000Z"] if status == "COMPLETED" else []
        stage.peer.put(path, status.lower(), f"SUMMARY:{status}", f"STATUS:{status}", "PRIORITY:5", *more)
    laptop = stage.device()
    laptop.sync()
    for status, name in wanted.items():
        stage.equal((laptop.by_uid(status.lower())["status"], laptop.by_uid(status.lower())["priority"]), (name, "medium"))
        stage.edit_here(laptop, status.lower(), "--priority", "low")
    laptop.sync()
    for status, one in stage.peer.held(path).items():
        stage.equal(one["STATUS"], status.upper())
        stage.check.assertIn(one["PRIORITY"], ("6", "7", "8", "9"))


@scenario("Subtasks keep their parent through an edit and through both sides")
def subtasks(stage):
    path = stage.list(todos={"parent": ["SUMMARY:Party"], "child": ["SUMMARY:Cake", "RELATED-TO:parent"]})
    laptop = stage.device()
    laptop.sync()
    stage.edit_here(laptop, "child", "--title", "Chocolate cake")
    laptop.sync()
    held = stage.peer.held(path)["child"]
    stage.equal((held["SUMMARY"], held["RELATED-TO"]), ("Chocolate cake", "parent"))


@scenario("Alarms with their UID and acknowledgement survive an edit of ours")
def alarms(stage):
    lines = texts.alarm("bell")
    lines[-1:-1] = ["ACKNOWLEDGED:20260101T000000Z", "X-MOZ-LASTACK:20260101T000000Z"]
    path, laptop = stage.one("SUMMARY:Bread", "DUE:20350301T090000Z", *lines)
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    laptop.sync()
    text = stage.peer.held(path)["one"].text
    for line in ("UID:bell", "ACKNOWLEDGED:20260101T000000Z", "X-MOZ-LASTACK:20260101T000000Z", "TRIGGER:-PT15M"):
        stage.check.assertIn(line, text)
    stage.quiet(laptop)


@scenario("A text with bare line feeds is read, edited and written like any other")
def line_feeds(stage):
    path = stage.list()
    stage.peer.put_text(path, texts.todo("one", "SUMMARY:Bread", "DESCRIPTION:Words").replace(b"\r\n", b"\n"), "one.ics")
    laptop = stage.device()
    laptop.sync()
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    laptop.sync()
    held = stage.peer.held(path)["one"]
    stage.equal((held["SUMMARY"], held["DESCRIPTION"]), ("Rye bread", "Words"))
    stage.quiet(laptop)
