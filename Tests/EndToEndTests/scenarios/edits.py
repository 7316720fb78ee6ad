"""Every pair of changes of one to-do on the two sides since their last sync."""

from harness import changes
from scenarios import scenario, texts

NOTE = "DESCRIPTION:Written by the other program"


@scenario("Edited here only: the server follows")
def here(stage):
    path, laptop = stage.one("SUMMARY:Bread", "PRIORITY:5")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.equal(changes(laptop.sync()), 1)
    held = stage.peer.held(path)["one"]
    stage.equal((held["SUMMARY"], held["PRIORITY"]), ("Rye bread", "5"))
    stage.quiet(laptop)


@scenario("Edited there only: this side follows")
def there(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.edit(path, "one", "SUMMARY:Rye bread", "PRIORITY:1")
    laptop.sync()
    entry = laptop.by_uid("one")
    stage.equal((entry["title"], entry["priority"]), ("Rye bread", "high"))
    stage.quiet(laptop)


@scenario("Deleted here only: it is gone on the server")
def deleted_here(stage):
    path, laptop, desk = stage.pair({"one": [], "two": []})
    stage.delete_here(laptop, "one")
    laptop.sync()
    stage.equal(set(stage.peer.held(path)), {"two"})
    desk.sync()
    stage.equal(stage.uids(desk), {"two"})
    stage.quiet(laptop, desk)


@scenario("Deleted there only: it is gone here")
def deleted_there(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.put(path, "two")
    laptop.sync()
    stage.peer.delete(path, "one")
    laptop.sync()
    stage.equal(stage.uids(laptop), {"two"})
    stage.quiet(laptop)


@scenario("Added here and deleted on another machine before the next sync here: it is deleted here, and stays deleted")
def made_here_thrown_away_there(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    milk = laptop.json("add", "Milk", "--list", "Tasks")["uid"]
    laptop.sync()
    desk.sync()
    stage.delete_here(desk, milk)
    desk.sync()
    # The list is as it was before the laptop wrote into it, and so may its state be.
    laptop.sync()
    stage.equal(stage.uids(laptop), {"one"})
    stage.settle(laptop, desk)
    stage.equal(set(stage.peer.held(path)), {"one"})


@scenario("Deleted on both sides: no error")
def deleted_on_both(stage):
    path, laptop, desk = stage.pair({"one": [], "two": []})
    stage.peer.delete(path, "one")
    stage.delete_here(laptop, "one")
    stage.settle(laptop, desk)
    stage.equal(stage.uids(laptop), {"two"})
    stage.equal(set(stage.peer.held(path)), {"two"})


@scenario("Deleted here, edited there: it stays, with the edit")
def deleted_here_edited_there(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    stage.delete_here(laptop, "one")
    stage.peer.edit(path, "one", NOTE)
    stage.check.assertIn("1 locally deleted reminder was restored", stage.sync(laptop).err)
    stage.settle(laptop, desk)
    stage.equal(laptop.by_uid("one")["notes"], "Written by the other program")
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Bread")


@scenario("Edited here, deleted there: it stays, with the edit", "takes a deleted UID again")
def edited_here_deleted_there(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"], "two": []})
    stage.peer.delete(path, "one")
    stage.edit_here(laptop, "one", "--notes", "Written here")
    stage.check.assertIn("1 reminder deleted on the server was sent again", stage.sync(laptop).err)
    stage.settle(laptop, desk)
    stage.equal(sorted(filter(None, (entry["notes"] for entry in laptop.json("list", "--all")))), ["Written here"])
    held = stage.peer.held(path)
    stage.equal(len(held), 2)
    # A server that keeps the UID of a deleted to-do gives it back from its trash.
    stage.can("takes a deleted UID again")
    stage.equal("one" in held, True)


@scenario("One property, two values: one wins on both sides and the other is recorded as a conflict")
def clash(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    stage.edit_here(laptop, "one", "--title", "Bread as the laptop says")
    stage.edit_here(desk, "one", "--title", "Bread as the desk says")
    stage.settle(laptop, desk)
    titles = {"Bread as the laptop says", "Bread as the desk says"}
    title = laptop.by_uid("one")["title"]
    stage.check.assertIn(title, titles)
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], title)
    shown = laptop.run("conflicts", "--json").out + desk.run("conflicts", "--json").out
    stage.check.assertIn((titles - {title}).pop(), shown)


@scenario("One property, the other program wrote last: its value wins, and ours is recorded as a conflict")
def clash_with_the_other(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.edit_here(laptop, "one", "--title", "Ours")
    stage.peer.edit(path, "one", "SUMMARY:Theirs", modified="20990101T000000Z")
    laptop.sync()
    stage.equal(laptop.by_uid("one")["title"], "Theirs")
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Theirs")
    stage.check.assertIn("Ours", laptop.run("conflicts", "--json").out)
    laptop.sync_until_quiet()


@scenario("One property, the same new value on both sides: that is no conflict")
def agreed(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.peer.edit(path, "one", "SUMMARY:Rye bread")
    stage.settle(laptop, desk)
    stage.equal(laptop.json("conflicts"), [])
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


@scenario("Different properties on both sides: both edits are kept")
def different_properties(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "DUE:20350301T090000Z"]})
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.peer.edit(path, "one", NOTE, "PRIORITY:9")
    stage.settle(laptop, desk)
    held = stage.peer.held(path)["one"]
    stage.equal((held["SUMMARY"], held["DESCRIPTION"], held["PRIORITY"]), ("Rye bread", NOTE[12:], "9"))
    entry = desk.by_uid("one")
    stage.equal((entry["title"], entry["notes"], entry["priority"]), ("Rye bread", NOTE[12:], "low"))
    stage.equal(laptop.json("conflicts"), [])


@scenario("Due here, title there: both edits are kept")
def due_and_title(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "DUE:20350301T090000Z"]})
    stage.edit_here(laptop, "one", "--due", "2035-04-02 all day")
    stage.peer.edit(path, "one", "SUMMARY:Rye bread")
    stage.settle(laptop, desk)
    stage.equal((desk.by_uid("one")["due"], desk.by_uid("one")["title"]), ("2035-04-02", "Rye bread"))


@scenario("A property removed here, another added there: both changes are kept")
def removed_and_added(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "DESCRIPTION:Old words", "PRIORITY:1"]})
    stage.edit_here(laptop, "one", "--notes", "none")
    stage.peer.edit(path, "one", "URL:https://example.org/bread", without=("PRIORITY",))
    stage.settle(laptop, desk)
    held = stage.peer.held(path)["one"]
    stage.equal((held["DESCRIPTION"], held["PRIORITY"], held["URL"]), (None, None, "https://example.org/bread"))


@scenario("A label added on each side: both are there")
def labels_added(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "CATEGORIES:Food"]})
    stage.edit_here(laptop, "one", "--label", "Food", "--label", "Here")
    stage.peer.edit(path, "one", "CATEGORIES:Food,There")
    stage.settle(laptop, desk)
    stage.equal(sorted(desk.by_uid("one")["labels"]), ["Food", "Here", "There"])
    stage.equal(stage.peer.held(path)["one"].labels, ["Food", "Here", "There"])
    stage.equal(laptop.json("conflicts"), [])


@scenario("A label removed here, another added there: both changes are kept")
def labels_changed(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "CATEGORIES:Food,Old"]})
    stage.edit_here(laptop, "one", "--label=-Old")
    stage.peer.edit(path, "one", "CATEGORIES:Food,Old,There")
    stage.settle(laptop, desk)
    stage.equal(sorted(desk.by_uid("one")["labels"]), ["Food", "There"])
    stage.equal(stage.peer.held(path)["one"].labels, ["Food", "There"])


@scenario("An alarm added on each side: both fire")
def alarms_added(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "DUE:20350301T090000Z"]})
    stage.rewrite_here(laptop, "one", components=[texts.alarm("here", "-PT1H")])
    stage.peer.edit(path, "one", components=[texts.alarm("there", "-PT2H")])
    stage.settle(laptop, desk)
    stage.equal(len(desk.by_uid("one")["alarms"]), 2)
    stage.equal(stage.peer.held(path)["one"].text.count("BEGIN:VALARM"), 2)


@scenario("An alarm removed there, the title edited here: both changes are kept")
def alarm_removed(stage):
    path, laptop, desk = stage.pair(
        {"one": ["SUMMARY:Bread", "DUE:20350301T090000Z", *texts.alarm("first", "-PT1H"), *texts.alarm("second", "-PT2H")]})
    stage.equal(len(desk.by_uid("one")["alarms"]), 2)

    def without_the_second(data):
        lines = texts.unfolded(data)
        starts = [index for index, line in enumerate(lines) if line == "BEGIN:VALARM"]
        ends = [index for index, line in enumerate(lines) if line == "END:VALARM"]
        second = next(n for n in range(2) if any("PT2H" in line for line in lines[starts[n]:ends[n]]))
        return texts.folded(lines[:starts[second]] + lines[ends[second] + 1:])

    stage.peer.rewrite(path, "one", without_the_second)
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.settle(laptop, desk)
    held = stage.peer.held(path)["one"]
    stage.equal((held.text.count("BEGIN:VALARM"), held["SUMMARY"]), (1, "Rye bread"))
    stage.check.assertIn("-PT1H", held.text)


@scenario("One alarm changed on both sides: one to-do with one alarm of that UID")
def alarm_changed_on_both(stage):
    path, laptop, desk = stage.pair(
        {"one": ["SUMMARY:Bread", "DUE:20350301T090000Z", *texts.alarm("first", "-PT1H")]})

    def with_trigger(trigger):
        return lambda data: data.replace(b"-PT1H", trigger)

    stage.peer.rewrite(path, "one", with_trigger(b"-PT2H"))
    exported = laptop.run("export", "--list", "Tasks").bytes
    changed = texts.edited(exported.replace(b"-PT1H", b"-PT3H"), modified="20990101T000000Z")
    stage.equal(laptop.json("import", "-", "--list", "Tasks", stdin=changed)["updated"], 1)
    stage.settle(laptop, desk)
    stage.equal(stage.peer.held(path)["one"].text.count("UID:first"), 1)
    stage.equal(len(desk.by_uid("one")["alarms"]), 1)


@scenario("Completed here, edited there: it is done and has the edit")
def completed_here(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    laptop.run("done", laptop.id_of("one"))
    stage.peer.edit(path, "one", NOTE)
    stage.settle(laptop, desk)
    held = stage.peer.held(path)["one"]
    stage.equal((held["STATUS"], held["DESCRIPTION"]), ("COMPLETED", NOTE[12:]))
    stage.check.assertIsNotNone(held["COMPLETED"])
    stage.equal(desk.by_uid("one")["status"], "completed")


@scenario("Completed there, edited here: it is done and has the edit")
def completed_there(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    stage.peer.edit(path, "one", "STATUS:COMPLETED", "COMPLETED:20260202T020202Z", "PERCENT-COMPLETE:100")
    stage.edit_here(laptop, "one", "--notes", "Written here")
    stage.settle(laptop, desk)
    entry = desk.by_uid("one")
    stage.equal((entry["status"], entry["notes"]), ("completed", "Written here"))
    stage.equal(stage.peer.held(path)["one"]["COMPLETED"], "20260202T020202Z")


@scenario("Completed on both sides: completed once, and the two times of completion are no conflict")
def completed_on_both(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    laptop.run("done", laptop.id_of("one"))
    desk.run("done", desk.id_of("one"))
    stage.settle(laptop, desk)
    stage.equal(desk.by_uid("one")["status"], "completed")
    stage.equal(len(stage.peer.held(path)["one"].lines("COMPLETED")), 1)


@scenario("Completed here, reopened there later: both sides have the same state")
def completed_and_opened(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "STATUS:NEEDS-ACTION"]})
    laptop.run("done", laptop.id_of("one"))
    laptop.sync()
    desk.sync()
    desk.run("undone", desk.id_of("one"))
    stage.edit_here(laptop, "one", "--notes", "Written here")
    stage.settle(laptop, desk)
    entry = laptop.by_uid("one")
    stage.equal((entry["status"], entry["completedAt"], entry["notes"]), ("pending", None, "Written here"))
    stage.equal(stage.peer.held(path)["one"]["COMPLETED"], None)


@scenario("Added on both sides: both are there, once")
def added_on_both(stage):
    path, laptop, desk = stage.pair()
    here = laptop.json("add", "Bread", "--list", "Tasks")["uid"]
    there = desk.json("add", "Bread", "--list", "Tasks")["uid"]
    stage.peer.put(path, "peer", "SUMMARY:Bread")
    stage.settle(laptop, desk)
    stage.equal(set(stage.peer.held(path)), {here, there, "peer"})
    stage.equal(stage.titles(laptop), ["Bread"] * 3)


@scenario("The same file imported on two machines: each to-do is there once")
def imported_twice(stage):
    path, laptop, desk = stage.pair()
    text = texts.calendar(*[texts.component(f"todo-{n}", f"SUMMARY:To-do {n}") for n in range(8)])
    for device in (laptop, desk):
        device.run("import", "-", "--list", "Tasks", stdin=text)
    stage.settle(laptop, desk)
    stage.equal(set(stage.peer.held(path)), {f"todo-{n}" for n in range(8)})


@scenario("Three machines edit three properties: all three have all three")
def three(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"]})
    third = stage.device("third")
    third.sync()
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.edit_here(desk, "one", "--notes", "From the baker")
    stage.edit_here(third, "one", "--priority", "high")
    stage.settle(laptop, desk, third)
    entry = third.by_uid("one")
    stage.equal((entry["title"], entry["notes"], entry["priority"]), ("Rye bread", "From the baker", "high"))


@scenario(
    "Deleted there and created again with the same UID at another address: it is the same reminder", "takes a deleted UID again")
def made_again_elsewhere(stage):
    if not stage.can("takes a deleted UID again"):
        return made_again_refused(stage)
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"], "two": []})
    stage.peer.delete(path, "one")
    stage.peer.put(path, "one", "SUMMARY:Made again", name="another.ics")
    stage.settle(laptop, desk)
    stage.equal(laptop.by_uid("one")["title"], "Made again")
    stage.edit_here(laptop, "one", "--notes", "Edited")
    stage.settle(laptop, desk)
    stage.equal(stage.peer.held(path)["one"]["DESCRIPTION"], "Edited")
    stage.equal(len(stage.peer.members(path)), 2)


@scenario(
    "Deleted there and created again at the same address: the new text arrives",
    "takes a deleted UID again", "a new entity tag for a new body")
def made_again_at_the_same(stage):
    if not stage.can("takes a deleted UID again"):
        return made_again_refused(stage)
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"], "two": []})
    stage.peer.delete(path, "one")
    stage.peer.put(path, "one", "SUMMARY:Made again")
    stage.settle(laptop, desk)
    if not stage.can("a new entity tag for a new body"):
        stage.equal(laptop.by_uid("one")["title"], "Bread")
        stage.peer.edit(path, "one", "PRIORITY:1")
        stage.settle(laptop, desk)
    stage.equal(laptop.by_uid("one")["title"], "Made again")
    stage.equal(desk.by_uid("one")["title"], "Made again")


def made_again_refused(stage):
    """The server reserves the UIDs of objects in its trash: the to-do cannot be created again, and the deletion stays."""
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"], "two": []})
    stage.peer.delete(path, "one")
    stage.peer.put_text(path, texts.todo("one", "SUMMARY:Made again"), "another.ics", expect=(500,))
    stage.settle(laptop, desk)
    stage.equal(stage.uids(laptop), {"two"})


@scenario("Edits accumulate on both sides over many rounds: all arrive, and without edits nothing is written")
def rounds(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread"], "two": ["SUMMARY:Milk"]})
    for turn in range(4):
        stage.edit_here(laptop, "one", "--title", f"Bread {turn}")
        stage.edit_here(desk, "two", "--title", f"Milk {turn}")
        stage.peer.edit(path, "two", f"DESCRIPTION:Turn {turn}")
        laptop.sync()
        desk.sync()
    stage.settle(laptop, desk)
    entry = laptop.by_uid("two")
    stage.equal((laptop.by_uid("one")["title"], entry["title"], entry["notes"]), ("Bread 3", "Milk 3", "Turn 3"))
    stage.quiet(laptop, desk)


@scenario("Snoozed here, edited there: both are kept")
def snoozed(stage):
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "DUE:20350301T090000Z"]})
    laptop.run("snooze", laptop.id_of("one"), "1h")
    stage.peer.edit(path, "one", NOTE)
    stage.settle(laptop, desk)
    entry = desk.by_uid("one")
    stage.check.assertIsNotNone(entry["snoozedUntil"])
    stage.equal(entry["notes"], NOTE[12:])
