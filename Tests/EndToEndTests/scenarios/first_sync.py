"""The first time that a store and a server meet."""

import re

from harness import AUTH, OK, SAMPLE, changes
from scenarios import scenario, texts
from scenarios.stage import WRITES

MANY = {f"todo-{number}": [f"SUMMARY:To-do {number}", f"PRIORITY:{number % 10}"] for number in range(25)}
PLAIN = {"bread": ["SUMMARY:Bread"], "milk": ["SUMMARY:Milk", "DUE:20350301T090000Z"]}


@scenario("Reminders on the server arrive here")
def download(stage):
    path = stage.list(todos=MANY)
    laptop = stage.device()
    laptop.sync()
    stage.equal(stage.uids(laptop), set(MANY))
    stage.equal(laptop.by_uid("todo-7")["title"], "To-do 7")
    stage.quiet(laptop)
    stage.equal(set(stage.peer.held(path)), set(MANY))


@scenario("Local reminders arrive on the server and on another machine", "keeps a comma in a category")
def upload(stage):
    laptop, desk = stage.device("laptop"), stage.device("desk")
    laptop.run("import", SAMPLE, "--list", "Reminders")
    laptop.publish("Reminders")
    laptop.sync()
    desk.sync()
    if stage.can("keeps a comma in a category"):
        stage.same(laptop, desk)
    else:
        here, there = laptop.items(), desk.items()
        different = [key for key in here if here[key] != there[key]]
        stage.equal([key for key in different if {**here[key], "labels": 0} != {**there[key], "labels": 0}], [])
        stage.equal([(here[key]["labels"], there[key]["labels"]) for key in different],
                    [(["Family", "Kids, school"], ["Family", "Kids", "school"])])
    stage.equal(len(desk.items()), 25)
    path = next(path for path, (name, _) in stage.peer.lists().items() if name == "Reminders")
    stage.equal(set(stage.peer.held(path)), stage.uids(laptop))
    laptop.sync_until_quiet()
    stage.quiet(laptop, desk)


@scenario("Both sides have the same to-dos: nothing is written")
def filled_alike(stage):
    path = stage.list(todos=PLAIN)
    before = {uid: one.etag for uid, one in stage.peer.held(path).items()}
    laptop = stage.device()
    stored = [texts.unfolded(one.data) for one in stage.peer.held(path).values()]
    for lines in stored:
        laptop.run("import", "-", "--list", "Tasks", stdin=texts.folded(lines))
    stage.proxy.take()
    laptop.sync()
    stage.equal([entry for entry in stage.writes() if entry[0] in ("PUT", "DELETE")], [])
    stage.equal({uid: one.etag for uid, one in stage.peer.held(path).items()}, before)
    stage.equal(stage.uids(laptop), set(PLAIN))
    stage.quiet(laptop)


@scenario("Both sides hold different to-dos: each gets those of the other")
def union(stage):
    path = stage.list(todos=PLAIN)
    laptop = stage.device()
    laptop.run("import", "-", "--list", "Tasks", stdin=texts.todo("here", "SUMMARY:Here"))
    laptop.sync()
    stage.equal(stage.uids(laptop), {*PLAIN, "here"})
    stage.equal(set(stage.peer.held(path)), {*PLAIN, "here"})
    stage.quiet(laptop)


@scenario("Both sides hold one UID with different text: it stays one to-do, and no text is lost")
def same_uid(stage):
    path = stage.list(todos={"bread": ["SUMMARY:Bread", "DESCRIPTION:From the baker"]})
    laptop = stage.device()
    laptop.run("import", "-", "--list", "Tasks", stdin=texts.todo("bread", "SUMMARY:Bread", "PRIORITY:1"))
    laptop.sync()
    laptop.sync_until_quiet()
    entry = laptop.by_uid("bread")
    held = stage.peer.held(path)["bread"]
    stage.equal((entry["notes"], entry["priority"]), ("From the baker", "high"))
    stage.equal((held["DESCRIPTION"], held["PRIORITY"]), ("From the baker", "1"))


@scenario("An empty list and an empty store stay empty")
def nothing(stage):
    stage.list()
    laptop = stage.device()
    stage.equal(changes(laptop.sync()), 0)
    stage.check.assertIn("Tasks", stage.lists(laptop))
    stage.quiet(laptop)


@scenario("A third machine with an empty store receives everything")
def third(stage):
    _, laptop, desk = stage.pair(PLAIN)
    stage.edit_here(laptop, "bread", "--title", "Rye bread")
    stage.settle(laptop, desk)
    third = stage.device("third")
    third.sync()
    stage.same(laptop, desk, third)


@scenario(
    "Without edits a sync costs at most two requests per list and writes nothing",
    "sync token moves with writes")
def idle(stage):
    _, laptop, desk = stage.pair(PLAIN)
    for _ in range(3):
        for device in (laptop, desk):
            stage.proxy.take()
            report = device.sync()
            asked = stage.proxy.take()
            stage.equal([entry for entry in asked if entry[0] in WRITES], [])
            stage.equal(changes(report), 0)
            # One request for the home; where a token proves something, nothing more.
            most = 1 if stage.can("sync token moves with writes") else 2 * len(report)
            stage.check.assertLessEqual(len(asked), most, asked)


@scenario("A dry run reports the changes and sends no write request")
def dry_run(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.peer.put(path, "milk")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    before = {uid: one.etag for uid, one in stage.peer.held(path).items()}
    stage.proxy.take()
    stage.equal(changes(laptop.sync("--dry-run")), 2)
    stage.equal(stage.writes(), [])
    stage.equal({uid: one.etag for uid, one in stage.peer.held(path).items()}, before)
    stage.equal(stage.uids(laptop), {"one"})
    laptop.sync()
    stage.equal(stage.uids(laptop), {"one", "milk"})
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


@scenario("A wrong password is reported as wrong, and nothing is stored", "checks passwords")
def wrong_password(stage):
    laptop = stage.device(connected=False)
    result = laptop.add_account(stage.address, password="wrong", code=None)
    if stage.can("checks passwords"):
        stage.complaint(result, AUTH, "password")
        stage.equal(laptop.json("account", "list"), [])
    else:
        stage.equal(result.code, OK)


@scenario("A password that is no longer right stops the sync and changes nothing", "checks passwords")
def password_changed(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    stage.edit_here(laptop, "one", "--title", "Rye bread")
    if stage.can("checks passwords"):
        def with_the_wrong_one(request):
            request.headers["authorization"] = "Basic dXNlcjp3cm9uZw=="
            request.headers.pop("cookie", None)

        stage.proxy.before = with_the_wrong_one
        stage.complaint(stage.sync(laptop, None), AUTH, "password")
        stage.proxy.behave()
    laptop.sync()
    stage.equal(stage.peer.held(path)["one"]["SUMMARY"], "Rye bread")


@scenario("The address of the host is enough")
def by_host(stage):
    stage.list(todos=PLAIN)
    laptop = stage.device(connected=False)
    laptop.add_account(stage.proxy.url)
    laptop.sync()
    stage.equal(stage.uids(laptop), set(PLAIN))


@scenario("The address of the home is enough")
def by_home(stage):
    stage.list(todos=PLAIN)
    laptop = stage.device(connected=False)
    laptop.add_account(stage.proxy.url + stage.server.home[1:])
    laptop.sync()
    stage.equal(stage.uids(laptop), set(PLAIN))


@scenario("The address of one list is enough")
def by_list(stage):
    path = stage.list(todos=PLAIN)
    laptop = stage.device(connected=False)
    laptop.add_account(stage.proxy.url + path[1:])
    laptop.sync()
    stage.equal(stage.uids(laptop), set(PLAIN))


@scenario("A collection without to-dos is not shown as a list", "lists for events only")
def no_lists(stage):
    stage.list("Tasks")
    stage.list("Meetings", components=("VEVENT",))
    laptop = stage.device()
    laptop.sync()
    shown = set(stage.lists(laptop)) - {"Reminders"}
    stage.check.assertIn("Tasks", shown)
    stage.equal("Meetings" in shown, not stage.can("lists for events only"))
    stage.check.assertFalse([name for name in shown if re.search("inbox|outbox|proxy|trash|holidays", name, re.I)], shown)


@scenario("Two accounts on two servers stay separate and both are synced")
def two_servers(stage):
    from nextcloud import Nextcloud
    from scenarios.peer import Peer

    other = stage.ending(Nextcloud().start())
    there = Peer(other)
    elsewhere = there.make_list("work", "Work")
    there.put(elsewhere, "report", "SUMMARY:Report")
    path = stage.list(todos=PLAIN)
    laptop = stage.device()
    laptop.run("account", "add", other.url + other.path[1:], "--user", other.user, "--name", "work", "--password-stdin",
               stdin=other.password + "\n")
    laptop.sync()
    stage.equal(stage.uids(laptop), {*PLAIN, "report"})
    stage.edit_here(laptop, "report", "--title", "Report, second part")
    stage.edit_here(laptop, "bread", "--title", "Rye bread")
    laptop.sync()
    stage.equal(there.held(elsewhere)["report"]["SUMMARY"], "Report, second part")
    stage.equal(stage.peer.held(path)["bread"]["SUMMARY"], "Rye bread")
    stage.equal(set(there.held(elsewhere)), {"report"})
    stage.equal(set(stage.peer.held(path)), set(PLAIN))
    laptop.sync_until_quiet()


@scenario("Removing the account leaves the server unchanged, and adding it again restores everything")
def forget(stage):
    path, laptop = stage.one("SUMMARY:Bread")
    laptop.run("account", "remove", laptop.account, "--yes")
    stage.equal(set(stage.peer.held(path)), {"one"})
    laptop.add_account(stage.address)
    laptop.sync()
    stage.equal(laptop.by_uid("one")["title"], "Bread")
    stage.quiet(laptop)
