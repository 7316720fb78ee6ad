"""Much at once. These come last."""

import os

from harness import PARTIAL, changes
from scenarios import scenario, texts
from scenarios.stage import WRITES

# 10,000 if servers were selected; fewer in the default run.
MEMBERS = int(os.environ.get("REMINDAV_MEMBERS") or ("10000" if os.environ.get("REMINDAV_SERVERS") else "2000"))


@scenario("Two hundred to-dos added here arrive on the server, each once")
def uploads(stage):
    path, laptop, desk = stage.pair()
    count = 200
    laptop.run("import", "-", "--list", "Tasks", stdin=texts.calendar(
        *[texts.component(f"n-{n}", f"SUMMARY:N {n}") for n in range(count)]))
    laptop.sync()
    stage.equal(len(stage.peer.members(path)), count)
    desk.sync()
    stage.same(laptop, desk)
    stage.quiet(laptop, desk)


@scenario("Notes of half a megabyte arrive whole on both sides")
def big(stage):
    path, laptop, desk = stage.pair()
    notes = "".join(f"Line {number}: all work and no play\n" for number in range(15_000)).strip()
    text = texts.calendar(texts.component("one", "SUMMARY:Big", "DESCRIPTION:" + notes.replace("\n", "\\n")))
    laptop.run("import", "-", "--list", "Tasks", stdin=text)
    laptop.sync()
    desk.sync()
    stage.equal(desk.by_uid("one")["notes"], notes)
    stage.equal(stage.peer.held(path)["one"]["DESCRIPTION"], notes)
    stage.edit_here(desk, "one", "--title", "Bigger")
    stage.settle(laptop, desk)
    stage.equal(laptop.by_uid("one")["notes"], notes)


@scenario("Two hundred labels on one to-do are kept, and one more from each side is added", "many labels")
def many_labels(stage):
    names = [f"Label {number:03}" for number in range(200)]
    if not stage.can("many labels"):
        return too_many_labels(stage, names)
    path, laptop, desk = stage.pair({"one": ["SUMMARY:Bread", "CATEGORIES:" + ",".join(names)]})
    stage.equal(len(laptop.by_uid("one")["labels"]), 200)
    stage.peer.edit(path, "one", "CATEGORIES:" + ",".join([*names, "There"]))
    stage.edit_here(laptop, "one", *[word for name in [*names, "Here"] for word in ("--label", name)])
    stage.settle(laptop, desk)
    stage.equal(len(desk.by_uid("one")["labels"]), 202)


def too_many_labels(stage, names):
    """The server fails: that one is named and stays as it is here, the others go on."""
    path, laptop = stage.one("SUMMARY:Bread")
    stage.edit_here(laptop, "one", *[word for name in names for word in ("--label", name)])
    laptop.run("add", "New", "--list", "Tasks")
    stage.complaint(stage.sync(laptop, None), PARTIAL, "500|failed|error")
    stage.equal(len(laptop.by_uid("one")["labels"]), 200)
    stage.equal(sorted(one["SUMMARY"] for one in stage.peer.held(path).values()), ["Bread", "New"])
    stage.edit_here(laptop, "one", "--label", "Food")
    laptop.sync()
    stage.equal(stage.peer.held(path)["one"].labels, ["Food"])


@scenario("10,000 members arrive, an idle sync stays small, and one edit on each side costs no more than in a small list")
def ten_thousand(stage):
    path = stage.list("Big")
    count = MEMBERS
    stage.server.fill(stage.peer, path, {
        f"m-{n}": texts.todo(f"m-{n}", f"SUMMARY:Member {n}", "DUE:20350301T090000Z") for n in range(count)})
    laptop = stage.device()
    laptop.sync(timeout=900)
    stage.equal(len(laptop.items()), count)
    laptop.sync(timeout=900)
    stage.proxy.take()
    stage.equal(changes(laptop.sync(timeout=900)), 0)
    asked = stage.proxy.take()
    stage.equal([entry for entry in asked if entry[0] in WRITES], [])
    stage.check.assertLessEqual(len(asked), 5)
    name = f"m-{count // 2}.ics"
    stage.peer.edit_at(path, name, "SUMMARY:Edited there")
    stage.edit_here(laptop, "m-7", "--title", "Edited here")
    stage.proxy.take()
    laptop.sync(timeout=900)
    stage.check.assertLessEqual(len(stage.proxy.take()), 8)
    stage.equal(laptop.by_uid(f"m-{count // 2}")["title"], "Edited there")
    stage.equal(texts.value(stage.peer.get(path + "m-7.ics").data, "SUMMARY"), "Edited here")
