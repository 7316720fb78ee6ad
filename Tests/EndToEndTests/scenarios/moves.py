"""Two lists, and to-dos that go from one to the other."""

from harness import OK, PARTIAL
from scenarios import scenario, texts


def two_lists(stage):
    home, work = stage.list("Home", {"one": ["SUMMARY:Bread"]}), stage.list("Work", {"two": ["SUMMARY:Report"]})
    laptop, desk = stage.device("laptop"), stage.device("desk")
    laptop.sync()
    desk.sync()
    return home, work, laptop, desk


def places(device, uid="one"):
    return [entry["list"] for entry in device.json("list", "--all") if entry["uid"] == uid]


@scenario("Two lists are synced together")
def side_by_side(stage):
    home, work, laptop, desk = two_lists(stage)
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.edit_here(desk, "two", "--title", "Report, second part")
    stage.settle(laptop, desk)
    stage.equal(stage.peer.held(home)["one"]["SUMMARY"], "Rye bread")
    stage.equal(stage.peer.held(work)["two"]["SUMMARY"], "Report, second part")
    stage.quiet(laptop, desk)


@scenario("Moved to another list here: it is only in that list, everywhere")
def moved_here(stage):
    home, work, laptop, desk = two_lists(stage)
    stage.edit_here(laptop, "one", "--list", "Work")
    stage.settle(laptop, desk)
    stage.equal((set(stage.peer.held(home)), set(stage.peer.held(work))), (set(), {"one", "two"}))
    stage.equal((places(laptop), places(desk)), (["Work"], ["Work"]))
    stage.quiet(laptop, desk)


@scenario("Moved here and back again: it is where it was", "takes a deleted UID again")
def moved_and_back(stage):
    home, work, laptop, desk = two_lists(stage)
    stage.edit_here(laptop, "one", "--list", "Work")
    stage.settle(laptop, desk)
    stage.edit_here(laptop, "one", "--list", "Home")
    stage.settle(laptop, desk)
    held = stage.peer.held(home)
    stage.equal([one["SUMMARY"] for one in held.values()], ["Bread"])
    stage.equal(set(stage.peer.held(work)), {"two"})
    stage.can("takes a deleted UID again")
    stage.equal((places(laptop), places(desk)), (["Home"], ["Home"]))
    stage.equal(stage.titles(laptop), ["Bread", "Report"])


@scenario("Moved to another list there: it is only in that list, here too")
def moved_there(stage):
    home, work, laptop, desk = two_lists(stage)
    held = stage.peer.held(home)["one"]
    stage.peer.move(held.href, work + "moved.ics")
    stage.settle(laptop, desk)
    stage.equal((places(laptop), places(desk)), (["Work"], ["Work"]))
    stage.equal(set(stage.peer.held(work)), {"one", "two"})


@scenario("Moved here, edited there: one to-do in the new list, with the edit")
def moved_and_edited(stage):
    home, work, laptop, desk = two_lists(stage)
    stage.edit_here(laptop, "one", "--list", "Work")
    stage.edit_here(desk, "one", "--title", "Rye bread")
    desk.sync()
    stage.settle(laptop, desk)
    for device in (laptop, desk):
        stage.equal([(entry["list"], entry["title"]) for entry in device.json("list", "--all") if "read" in entry["title"]],
                    [("Work", "Rye bread")])
    stage.equal((set(stage.peer.held(home)), len(stage.peer.held(work))), (set(), 2))


@scenario("Edited here, moved there: one to-do in the new list, with the edit, after this sync, or after the next one if the report announces it")
def edited_and_moved_there(stage):
    home, work, laptop, desk = two_lists(stage)
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.edit_here(desk, "one", "--list", "Work")
    desk.sync()
    said = stage.sync(laptop).err
    is_there = any(held["SUMMARY"] == "Rye bread" for held in stage.peer.held(work).values())
    stage.equal("the next sync sends" in said, not is_there)
    stage.settle(laptop, desk)
    for device in (laptop, desk):
        stage.equal([(entry["list"], entry["title"]) for entry in device.json("list", "--all") if "read" in entry["title"]],
                    [("Work", "Rye bread")])
    stage.equal((set(stage.peer.held(home)), len(stage.peer.held(work))), (set(), 2))


@scenario("Moved here and edited here before it was sent: it arrives once, with the edit")
def moved_with_an_edit(stage):
    home, work, laptop, desk = two_lists(stage)
    stage.edit_here(laptop, "one", "--list", "Work")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    stage.settle(laptop, desk)
    stage.equal(stage.peer.held(work)["one"]["SUMMARY"], "Rye bread")
    stage.equal(stage.peer.held(home), {})


@scenario("Moved here, deleted there: gone, or in the new list once")
def moved_and_deleted(stage):
    home, work, laptop, desk = two_lists(stage)
    stage.edit_here(laptop, "one", "--list", "Work")
    stage.peer.delete(home, "one")
    stage.settle(laptop, desk)
    stage.check.assertIn(places(laptop), ([], ["Work"]))
    stage.equal(stage.peer.held(home), {})
    stage.equal(len(stage.peer.held(work)), 1 + len(places(laptop)))


@scenario("Moved to two lists by two machines: all machines agree where it is, and it is not lost", "one UID in two lists")
def moved_twice(stage):
    home, work, laptop, desk = two_lists(stage)
    third = stage.list("Third")
    for device in (laptop, desk):
        device.sync()
    stage.edit_here(laptop, "one", "--list", "Work")
    stage.edit_here(desk, "one", "--list", "Third")
    if not stage.can("one UID in two lists"):
        for device in (laptop, desk, laptop, desk):
            stage.sync(device, (OK, PARTIAL))
        for device in (laptop, desk):
            stage.check.assertIn("Bread", stage.titles(device))
        everywhere = [uid for path in (home, work, third) for uid in stage.peer.held(path)]
        stage.equal(sorted(everywhere), ["one", "two"])
        return
    stage.settle(laptop, desk)
    stage.equal(sorted(places(laptop)), sorted(places(desk)))
    stage.check.assertIn("Bread", stage.titles(laptop))
    held = {**{f"home {uid}": 1 for uid in stage.peer.held(home)}, **{f"work {uid}": 1 for uid in stage.peer.held(work)},
            **{f"third {uid}": 1 for uid in stage.peer.held(third)}}
    stage.equal(len(held) - 1, len(places(laptop)))


@scenario("The same UID in two lists: both are there and stay apart", "one UID in two lists")
def same_uid(stage):
    home, work = stage.list("Home", {"one": ["SUMMARY:Bread"]}), stage.list("Work")
    expect = (201, 204) if stage.can("one UID in two lists") else (403,)
    stage.peer.put_text(work, texts.todo("one", "SUMMARY:Report"), "another.ics", expect=expect)
    laptop = stage.device()
    laptop.sync()
    both = stage.can("one UID in two lists")
    stage.equal(stage.titles(laptop), ["Bread", "Report"] if both else ["Bread"])
    stage.quiet(laptop)
    if both:
        report = next(str(entry["id"]) for entry in laptop.json("list", "--all") if entry["title"] == "Report")
        laptop.run("edit", report, "--title", "Report, second part")
        laptop.sync()
        stage.equal(stage.peer.held(home)["one"]["SUMMARY"], "Bread")
        stage.equal(stage.peer.held(work)["one"]["SUMMARY"], "Report, second part")
