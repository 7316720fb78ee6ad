"""Lists: made, named, coloured, taken away, closed to writing, on either side."""

from harness import OK, PARTIAL
from proxy import Answer
from scenarios import scenario, texts

PLAIN = {"one": ["SUMMARY:Bread"], "two": ["SUMMARY:Milk"]}


@scenario("A list created here appears on the server and on another machine")
def made_here(stage):
    laptop, desk = stage.device("laptop"), stage.device("desk")
    laptop.publish("Groceries", "--color", "#33AA55")
    laptop.run("add", "Bread", "--list", "Groceries")
    laptop.sync()
    desk.sync()
    stage.equal([entry["list"] for entry in desk.json("list", "--all")], ["Groceries"])
    path, (_, color) = next(entry for entry in stage.peer.lists().items() if entry[1][0] == "Groceries")
    stage.equal((color or "")[:7].upper(), "#33AA55")
    stage.equal(len(stage.peer.held(path)), 1)
    stage.equal(stage.lists(desk)["Groceries"]["color"][:7].upper(), "#33AA55")
    stage.quiet(laptop, desk)


@scenario("A list created there appears here")
def made_there(stage):
    _, laptop = stage.one("SUMMARY:Bread")
    stage.list("Groceries", {"milk": ["SUMMARY:Milk"]}, color="#33AA55FF")
    laptop.sync()
    stage.equal(laptop.by_uid("milk")["list"], "Groceries")
    stage.equal(stage.lists(laptop)["Groceries"]["color"][:7].upper(), "#33AA55")


@scenario("A list of the same name on the server is joined, not created a second time")
def joined(stage):
    laptop = stage.device()
    path = stage.list("Groceries", PLAIN)
    laptop.publish("Groceries")
    laptop.sync()
    stage.equal(stage.uids(laptop), set(PLAIN))
    stage.equal([at for at, (name, _) in stage.peer.lists().items() if name == "Groceries"], [path])


@scenario("A list renamed there is renamed here, and keeps its reminders")
def renamed_there(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.change_list(path, name="Errands")
    laptop.sync()
    stage.equal(laptop.by_uid("one")["list"], "Errands")
    stage.check.assertNotIn("Tasks", stage.lists(laptop))
    stage.quiet(laptop)


@scenario("A list renamed there while a to-do in it is edited here: both changes are kept")
def renamed_and_edited(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.change_list(path, name="Errands")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    laptop.sync()
    stage.equal(laptop.by_uid("one")["list"], "Errands")
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


@scenario("A list recoloured there has that colour here")
def recoloured_there(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.change_list(path, color="#AA5533FF")
    laptop.sync()
    stage.equal(stage.lists(laptop)["Tasks"]["color"][:7].upper(), "#AA5533")


@scenario("Two lists that exchange their names keep their reminders")
def exchanged(stage):
    first, second = stage.list("First", {"one": []}), stage.list("Second", {"two": []})
    laptop = stage.device()
    laptop.sync()
    for path, name in ((first, "Aside"), (second, "First"), (first, "Second")):
        stage.peer.change_list(path, name=name)
    stage.edit_here(laptop, "one", "--title", "Edited")
    laptop.sync()
    laptop.sync()
    stage.equal(stage.peer.held(first)["one"]["SUMMARY"], "Edited")
    stage.equal(set(stage.peer.held(second)), {"two"})
    stage.equal(stage.uids(laptop), {"one", "two"})


@scenario("A list deleted there stays here, is reported, and its to-dos are not lost")
def deleted_there(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.delete_list(path)
    for _ in range(2):
        stage.complaint(stage.sync(laptop, None), PARTIAL, "tasks", "server|gone|no longer")
        stage.equal(laptop.by_uid("one")["title"], "Bread")
    stage.equal([name for name, _ in stage.peer.lists().values() if name == "Tasks"], [])


@scenario("A list deleted there does not stop the others")
def deleted_with_another(stage):
    path = stage.list("Gone", {"one": []})
    other = stage.list("Stays", {"two": []})
    laptop = stage.device()
    laptop.sync()
    stage.peer.delete_list(path)
    stage.edit_here(laptop, "two", "--title", "Edited")
    stage.peer.put(other, "three")
    stage.complaint(stage.sync(laptop, None), PARTIAL, "gone")
    stage.equal(stage.peer.held(other)["two"]["SUMMARY"], "Edited")
    stage.equal(stage.uids(laptop), {"one", "two", "three"})


@scenario("A list deleted there is recreated with all its reminders")
def put_back(stage):
    path, laptop, desk = stage.pair(PLAIN)
    stage.peer.delete_list(path)
    stage.sync(laptop, PARTIAL)
    laptop.publish("Tasks")
    laptop.sync()
    made = next(path for path, (name, _) in stage.peer.lists().items() if name == "Tasks")
    stage.equal({one["SUMMARY"] for one in stage.peer.held(made).values()}, {"Bread", "Milk"})
    # Another list with that name is a different list, until the user pairs them.
    stage.sync(desk, (OK, PARTIAL))
    desk.publish("Tasks")
    desk.sync()
    stage.equal(stage.titles(desk), ["Bread", "Milk"])


@scenario(
    "A list deleted there and created again at the same address with other to-dos: both are here",
    "gives back the address of a list")
def made_again(stage):
    path = stage.list("Tasks", PLAIN, segment="again" + stage.folder.name[-6:].replace("_", "x"))
    laptop = stage.device()
    laptop.sync()
    stage.peer.delete_list(path)
    segment = path.rstrip("/").rsplit("/", 1)[1]
    if not stage.can("gives back the address of a list"):
        status, _, _ = stage.peer.ask("MKCALENDAR", path, expect=(405,))
        stage.equal(status, 405)
        stage.sync(laptop, PARTIAL)
        stage.equal(stage.uids(laptop), set(PLAIN))
        return
    stage.peer.make_list(segment, "Tasks")
    stage.peer.put(path, "three", "SUMMARY:Cheese")
    for _ in range(3):
        stage.sync(laptop, None)
    # Every local to-do remains, or a sync deleted it and reported this; the new one has arrived.
    stage.check.assertIn("three", stage.uids(laptop))
    stage.check.assertIn("Cheese", {one["SUMMARY"] for one in stage.peer.held(path).values()})
    stage.equal(stage.uids(laptop), {"one", "two", "three"})


@scenario(
    "A read-only list is marked as such, its to-dos arrive, and an edit is refused with the reason",
    "read-only list")
def read_only(stage):
    if not stage.can("read-only list"):
        return refused_by_the_proxy(stage)
    # Each server is asked in its own way for a list that its owner may read and nothing else.
    path, undo = stage.server.read_only_list(stage.peer, "Shown", texts.todo("one", "SUMMARY:Bread"))
    stage.before_the_end.append(undo)
    laptop = stage.device()
    laptop.sync()
    stage.equal(laptop.by_uid("one")["title"], "Bread")
    stage.equal(stage.lists(laptop)["Shown"]["readOnly"], True)
    result = laptop.run("edit", laptop.id_of("one"), "--title", "Rye bread", code=None)
    if result.code == OK:
        stage.sync(laptop, PARTIAL)
    else:
        stage.complaint(result, (1, 2), "change|read")
    result = laptop.run("add", "New", "--list", "Shown", code=None)
    if result.code == OK:
        stage.sync(laptop, PARTIAL)
    else:
        stage.complaint(result, (1, 2), "change|read")
    stage.equal({uid: one["SUMMARY"] for uid, one in stage.peer.held(path).items()}, {"one": "Bread"})


def refused_by_the_proxy(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.put(path, "two")
    laptop.sync()
    body = b'<D:error xmlns:D="DAV:"><D:need-privileges/></D:error>'
    stage.proxy.before = lambda request: Answer(403, body, [("Content-Type", "application/xml")]) \
        if request.method in ("PUT", "DELETE") else None
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.complaint(stage.sync(laptop, None), PARTIAL, "refused|permission|allow|read|rights")
    stage.equal(laptop.by_uid("one")["title"], "Rye bread")
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Bread")
    stage.proxy.behave()
    laptop.sync()
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


@scenario(
    "Names of lists: umlauts, quotes, ampersands and angle brackets arrive as they are")
def names(stage):
    wanted = ["Einkäufe & «Größe»", "A <b> \"quoted\" 'list'"]
    laptop, desk = stage.device("laptop"), stage.device("desk")
    for name in wanted:
        laptop.publish(name)
    laptop.sync()
    desk.sync()
    seen = sorted(name for name in stage.lists(desk) if name in wanted)
    stage.equal(seen, sorted(wanted))
    desk.sync()
    laptop.sync()
    stage.quiet(laptop, desk)


@scenario("A percent sign in the name of a list arrives as it is", "names with a percent sign")
def percent(stage):
    laptop, desk = stage.device("laptop"), stage.device("desk")
    if stage.can("names with a percent sign"):
        laptop.publish("100 % done")
        laptop.sync()
        desk.sync()
        stage.check.assertIn("100 % done", stage.lists(desk))
        stage.quiet(laptop, desk)
    else:
        laptop.run("lists", "add", "100 % done", "--account", laptop.account, code=None)
        stage.check.assertNotIn("100 % done", [name for name, _ in stage.peer.lists().values()])


@scenario("A list with an emoji in its name works like any other")
def emoji(stage):
    path = stage.list("Garden 🌻", PLAIN)
    laptop = stage.device()
    laptop.sync()
    stage.equal(laptop.by_uid("one")["list"], "Garden 🌻")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    laptop.sync()
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


@scenario("Twenty lists stay separate, and a sync without changes needs few requests", "sync token moves with writes")
def twenty(stage):
    for number in range(20):
        stage.list(f"List {number}", {f"todo-{number}": []})
    laptop = stage.device()
    laptop.sync()
    stage.equal(len(laptop.items()), 20)
    stage.proxy.take()
    laptop.sync()
    asked = stage.proxy.take()
    stage.check.assertLessEqual(len(asked), 1 if stage.can("sync token moves with writes") else 45, asked)


@scenario("A list renamed here has that name on the server and on another machine")
def renamed_here(stage):
    path, laptop, desk = stage.pair(PLAIN)
    laptop.run("lists", "rename", "Tasks", "Errands")
    laptop.sync()
    stage.equal(stage.peer.lists()[path][0], "Errands")
    desk.sync()
    stage.equal(desk.by_uid("one")["list"], "Errands")
    stage.quiet(laptop, desk)


@scenario("A list recoloured here has that colour on the server and on another machine")
def recoloured_here(stage):
    path, laptop, desk = stage.pair(PLAIN)
    laptop.run("lists", "recolor", "Tasks", "#AA5533")
    laptop.sync()
    stage.equal((stage.peer.lists()[path][1] or "")[:7].upper(), "#AA5533")
    desk.sync()
    stage.equal(stage.lists(desk)["Tasks"]["color"][:7].upper(), "#AA5533")
    stage.quiet(laptop, desk)


@scenario("A list deleted here is gone on the server")
def deleted_here(stage):
    path, laptop, desk = stage.pair(PLAIN)
    laptop.run("lists", "delete", "Tasks", "--yes")
    laptop.sync()
    stage.check.assertNotIn(path, stage.peer.lists())
    stage.check.assertNotIn("Tasks", stage.lists(laptop))
    stage.complaint(stage.sync(desk, None), PARTIAL, "tasks")
    stage.equal(stage.uids(desk), set(PLAIN))
