"""To-dos that repeat."""

from scenarios import scenario, texts

WEEKLY = ["SUMMARY:Water the plants", "DTSTART:20350301T090000Z", "DUE:20350301T100000Z", "RRULE:FREQ=WEEKLY"]


def series(uid="one"):
    """A weekly to-do with another title at its second date, in one resource."""
    master = texts.component(uid, *WEEKLY)
    override = texts.component(
        uid, "RECURRENCE-ID:20350308T090000Z", "SUMMARY:Water and feed the plants", "DTSTART:20350308T090000Z",
        "DUE:20350308T100000Z")
    return texts.calendar(master, override)


@scenario("A rule made there is a rule here, and an edit of the title leaves it")
def rule(stage):
    path, laptop, desk = stage.pair({"one": WEEKLY})
    stage.check.assertIn("WEEKLY", laptop.by_uid("one")["repeat"])
    stage.edit_here(laptop, "one", "--title", "Water all plants")
    stage.settle(laptop, desk)
    held = stage.peer.held(path)["one"]
    stage.equal((held["SUMMARY"], held["RRULE"], held["DTSTART"]), ("Water all plants", "FREQ=WEEKLY", "20350301T090000Z"))


@scenario("A rule made here is a rule there")
def rule_made_here(stage):
    path, laptop, desk = stage.pair()
    uid = laptop.json("add", "Water the plants", "--due", "2035-03-01 09:00", "--repeat", "weekly", "--list", "Tasks")["uid"]
    stage.settle(laptop, desk)
    stage.check.assertIn("FREQ=WEEKLY", stage.peer.held(path)[uid]["RRULE"])
    stage.check.assertIn("WEEKLY", desk.by_uid(uid)["repeat"])


@scenario("A completed date advances the series; the server holds the next date and one completed copy")
def done_here(stage):
    path, laptop, desk = stage.pair({"one": WEEKLY})
    laptop.run("done", laptop.id_of("one"))
    stage.settle(laptop, desk)
    held = stage.peer.held(path)
    entries = desk.json("list", "--all")
    stage.equal(sorted(entry["status"] for entry in entries), ["completed", "pending"])
    stage.equal(len([one for one in held.values() if "RRULE" in one.text]), 1)
    stage.equal(set(held), {entry["uid"] for entry in entries})


@scenario("A date completed on two machines: it is completed once")
def done_on_both(stage):
    path, laptop, desk = stage.pair({"one": WEEKLY})
    laptop.run("done", laptop.id_of("one"))
    desk.run("done", desk.id_of("one"))
    stage.settle(laptop, desk)
    stage.equal(sorted(entry["status"] for entry in desk.json("list", "--all")), ["completed", "pending"])
    stage.check.assertIn("2035-03-08", desk.by_uid("one")["due"])
    stage.equal(len(stage.peer.held(path)), 2)


@scenario("A date completed here, the title edited there: both changes are kept")
def done_and_edited(stage):
    path, laptop, desk = stage.pair({"one": WEEKLY})
    laptop.run("done", laptop.id_of("one"))
    stage.peer.edit(path, "one", "SUMMARY:Water all plants")
    stage.settle(laptop, desk)
    entry = desk.by_uid("one")
    stage.equal(entry["title"], "Water all plants")
    stage.check.assertIn("2035-03-08", entry["due"])


@scenario("The other program advances a series: this side shows the next date")
def rolled_there(stage):
    path, laptop, desk = stage.pair({"one": WEEKLY})
    stage.peer.edit(path, "one", "DTSTART:20350308T090000Z", "DUE:20350308T100000Z")
    stage.settle(laptop, desk)
    stage.check.assertIn("2035-03-08", laptop.by_uid("one")["due"])


@scenario("A series with an override is one reminder, and an edit keeps the override")
def override(stage):
    path = stage.list()
    stage.peer.put_text(path, series(), "one.ics")
    laptop, desk = stage.device("laptop"), stage.device("desk")
    laptop.sync()
    desk.sync()
    stage.equal(stage.uids(laptop), {"one"})
    stage.edit_here(laptop, "one", "--priority", "high")
    stage.settle(laptop, desk)
    text = stage.peer.held(path)["one"].text
    stage.check.assertIn("RECURRENCE-ID:20350308T090000Z", text)
    stage.check.assertIn("Water and feed the plants", text)
    stage.equal(text.count("BEGIN:VTODO"), 2)


@scenario("An override added there, the title edited here: both are kept")
def override_added(stage):
    path, laptop, desk = stage.pair({"one": WEEKLY})
    stage.edit_here(laptop, "one", "--priority", "high")
    stage.peer.rewrite(path, "one", lambda data: series())
    stage.settle(laptop, desk)
    held = stage.peer.held(path)["one"]
    stage.equal(held.text.count("BEGIN:VTODO"), 2)
    stage.check.assertIn("PRIORITY:1", held.text)


@scenario(
    "A date completed there in a second resource of the same UID is completed here, and the next edit joins both resources",
    "refuses a doubled UID")
def second_resource(stage):
    path, laptop, desk = stage.pair({"one": WEEKLY})
    done = texts.component(
        "one", "RECURRENCE-ID:20350301T090000Z", "SUMMARY:Water the plants", "DTSTART:20350301T090000Z",
        "DUE:20350301T100000Z", "STATUS:COMPLETED", "COMPLETED:20350301T093000Z", "PERCENT-COMPLETE:100")
    is_taken = not stage.can("refuses a doubled UID")
    expect = (201, 204) if is_taken else (400, 403, 409, 412)
    stage.peer.put_text(path, texts.calendar(done), "done.ics", expect=expect)
    stage.proxy.take()
    stage.settle(laptop, desk)
    stage.equal(stage.writes(), [])
    stage.equal(stage.uids(desk), {"one"})
    stage.check.assertIn("2035-03-08" if is_taken else "2035-03-01", desk.by_uid("one")["due"])
    stage.edit_here(laptop, "one", "--priority", "high")
    stage.settle(laptop, desk)
    stage.equal(len(stage.peer.members(path)), 1)
    text = stage.peer.held(path)["one"].text
    stage.equal("RECURRENCE-ID:20350301T090000Z" in text, is_taken)
    stage.equal(text.count("BEGIN:VTODO"), 2 if is_taken else 1)
    stage.check.assertIn("PRIORITY:1", text)
    stage.quiet(laptop, desk)


@scenario("A date excluded on each side: both are excluded")
def exceptions(stage):
    path, laptop, desk = stage.pair({"one": WEEKLY})
    stage.rewrite_here(laptop, "one", "EXDATE:20350308T090000Z")
    stage.peer.edit(path, "one", "EXDATE:20350315T090000Z")
    stage.settle(laptop, desk)
    dates = ",".join(line.split(":", 1)[1] for line in stage.peer.held(path)["one"].lines("EXDATE"))
    stage.equal(sorted(dates.split(",")), ["20350308T090000Z", "20350315T090000Z"])


@scenario("A rule without a start, which RFC 5545 forbids but programs write, survives an edit")
def no_start(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "DUE:20350301T090000Z", "RRULE:FREQ=DAILY"]})
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.settle(laptop, desk)
    held = stage.peer.held(path)["one"]
    stage.equal((held["SUMMARY"], held["RRULE"]), ("Rye bread", "FREQ=DAILY"))


@scenario("A series in a custom zone keeps its local time on both sides")
def zone(stage):
    path = stage.list()
    zone = ["BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:STANDARD", "DTSTART:19701025T030000",
            "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD",
            "BEGIN:DAYLIGHT", "DTSTART:19700329T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "TZOFFSETFROM:+0100",
            "TZOFFSETTO:+0200", "END:DAYLIGHT", "END:VTIMEZONE"]
    lines = ["SUMMARY:Water", "DTSTART;TZID=Europe/Berlin:20350301T090000", "DUE;TZID=Europe/Berlin:20350301T100000",
             "RRULE:FREQ=WEEKLY"]
    stage.peer.put_text(path, texts.calendar(zone, texts.component("one", *lines)), "one.ics")
    laptop, desk = stage.device("laptop"), stage.device("desk", zone="America/New_York")
    laptop.sync()
    desk.sync()
    stage.equal(desk.by_uid("one")["dueZone"], "Europe/Berlin")
    stage.edit_here(desk, "one", "--title", "Water all plants")
    desk.sync()
    laptop.sync()
    text = stage.peer.held(path)["one"].text
    stage.check.assertIn("DUE;TZID=Europe/Berlin:20350301T100000", text)
    stage.check.assertIn("BEGIN:VTIMEZONE", text)
    stage.equal(laptop.by_uid("one")["due"], "2035-03-01T10:00:00+01:00")
