"""Measures the cost of a sync: Remindav, vdirsyncer, and the minimum of requests for the same work, on one Radicale.

    sync.py [--sizes N,N] [--rounds N] [--only CASE,CASE] [--all] [--patience SECONDS]

Prints a table for each size and the bounds of the project, each with "ok" or "MISSED". The exit status is 1 if a bound is
missed. Wall and processor time are medians of the rounds, in which the programs take turns. Requests and bytes are those
of one more run, through a counting proxy (BENCHMARK_REQUESTS=1 shows them). Cases that cannot be repeated (first upload,
deletions) run once, through that proxy. Needs a release build, a C compiler and libcurl's headers.

  --sizes     numbers of to-dos; default 1000,10000
  --rounds    rounds of the quick cases; default 5
  --only      some of: pairing download idle local remote hundred deletions upload zoned distance
  --all       vdirsyncer also runs the cases in which it needs minutes: pairing and first upload of more than 1,000
  --patience  time limit of a run in seconds; a longer run is ended and counts as that long; default 600
  --keep      a file for the figures of each run, as JSON
"""

import argparse
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from pathlib import Path

from sync_clients import BINARY, HERE, LIST, Floor, Remindav, Server, Vdirsyncer, retitled, say, titles, todos, unfolded
from servers import CountingProxy, install  # noqa: E402

# Seconds of a clock, of the client's and the server's processor; the client's peak of memory in bytes.
Run = namedtuple("Run", "wall cpu server memory isOver")
Traffic = namedtuple("Traffic", "requests up down writes")
Bound = namedtuple("Bound", "what asked measured isKept")

CASES = {
    "pairing": "both sides filled alike, folded otherwise",
    "download": "first download",
    "idle": "nothing has changed",
    "local": "one change here",
    "remote": "one change there",
    "hundred": "100 changes on each side",
    "deletions": "1,000 deletions here",
    "upload": "first upload, list just made",
    "zoned": "the same, three of four with a zone",
}
WRITES = ("PUT", "DELETE", "POST", "MOVE", "PROPPATCH")
# The delay of the proxy, and how many to-dos go each way through it.
DISTANCE_MILLISECONDS, DISTANCE_COUNT = 100, 200
# Longer than this vdirsyncer only with --all.
SMALL = 1000


class Bench:
    """One size: a server, three clients, and their measurements."""

    def __init__(self, folder, programs, count, arguments):
        self.folder = Path(folder)
        self.programs = programs
        self.count = count
        self.arguments = arguments
        self.texts = todos(count)
        self.server = Server(["remindav", "vdirsyncer", "floor"])
        self.runs = {}
        self.traffic = {}

    def run(self):
        self.show_head()
        with self.server:
            self.proxy = CountingProxy(self.server)
            try:
                say(f"filling the lists with {self.count}")
                self.server.make("floor", "tasks", LIST)
                self.server.put_list("floor", "tasks", self.texts.values())
                self.clients = [Remindav(self.server, self.folder), Vdirsyncer(self.server, self.folder),
                                Floor(self.server, self.folder, self.programs / "dav_floor")]
                for client in self.clients[:2]:
                    self.server.copy("floor", client.user)
                    self.server.members(client.user, "tasks")
                self.cases()
            finally:
                self.proxy.stop()

    def wants(self, case):
        return case in self.arguments.only

    def cases(self):
        rounds = self.arguments.rounds
        few = rounds if self.count <= SMALL else min(rounds, 3)
        if self.wants("pairing"):
            quick = [client for client in self.clients if client.name != "vdirsyncer"]
            self.case("pairing", quick, self.pair, few)
            if self.count <= SMALL or self.arguments.all:
                self.once("pairing", [self.clients[1]], self.pair)
            self.show("pairing")
        self.case("download", self.clients, self.download, few)
        if self.wants("idle"):
            self.case("idle", self.clients, self.idle, rounds)
        for case, here, there, times in [("local", 1, 0, rounds), ("remote", 0, 1, rounds), ("hundred", 100, 100, few)]:
            if self.wants(case):
                self.case(case, self.clients, lambda client, turn: self.change(client, case, turn, here, there), times)
        self.compare()
        if self.wants("deletions"):
            self.once("deletions", self.clients, self.delete)
            self.compare()
        for case in ["upload", "zoned"]:
            isShort = self.count <= SMALL or self.arguments.all
            clients = [client for client in self.clients if isShort or case == "upload" and client.name != "vdirsyncer"]
            if self.wants(case):
                for client in self.clients:
                    self.server.empty(client.user)
                texts = todos(self.count, zoned=case == "zoned")
                self.once(case, clients, lambda client, turn: self.upload(client, case, texts))

    # Preparations before the measured run

    def pair(self, client, turn):
        client.begin()
        if client.name == "floor":
            client.fetch()
        else:
            client.connect("tasks")
            client.put_in({uid: unfolded(text) for uid, text in self.texts.items()})

    def download(self, client, turn):
        client.begin()
        client.connect("tasks")
        if client.name == "floor":
            client.fetch()

    def idle(self, client, turn):
        if client.name == "floor":
            client.settle()
            client.look()

    def change(self, client, case, turn, here, there):
        """`here` to-dos are changed in the program and as many others on the server, no two runs the same."""
        uids = list(self.texts)
        first = (turn * (here + there)) % (self.count - here - there + 1)
        mine, theirs = uids[first:first + here], uids[first + here:first + here + there]
        client.settle()
        members = self.server.members(client.user, "tasks")[0] if theirs else {}
        for uid in theirs:
            text = retitled(members[uid].text, f"there {case} {turn} {uid}")
            self.server.ask(client.user, "PUT", members[uid].path, text, If_Match=members[uid].etag)
        if client.name == "floor":
            client.fetch() if theirs else client.look()
        client.edit({uid: f"here {case} {turn} {uid}" for uid in mine})

    def delete(self, client, turn):
        client.settle()
        if client.name == "floor":
            client.look()
        client.delete(list(self.texts)[:min(1000, self.count)])
        self.deleted = True

    def upload(self, client, case, texts):
        client.begin()
        if client.name != "remindav":
            self.server.make(client.user, case, LIST)
        if client.name == "floor":
            client.connect(case)
            client.replace(texts)
        else:
            client.put_in(texts)
            client.connect(case)
        if client.name == "remindav":
            client.publish()

    # Measuring

    def case(self, name, clients, prepare, rounds):
        """Timed runs in turns, and one that is counted."""
        if name == "download" and not self.wants(name):
            rounds = 0
        for turn in range(rounds):
            shift = turn % len(clients)
            for client in clients[shift:] + clients[:shift]:
                prepare(client, turn)
                self.keep(name, client, self.measured(client.command()))
        for client in clients:
            prepare(client, rounds)
            self.count_requests(name, client, client.command())
        if name != "pairing":
            self.show(name)

    def once(self, name, clients, prepare):
        for client in clients:
            prepare(client, 0)
            self.keep(name, client, self.count_requests(name, client, client.command(deletes=name == "deletions")))
        if name != "pairing":
            self.show(name)

    def keep(self, name, client, run):
        self.runs.setdefault((name, client.name), []).append(run)

    def measured(self, command):
        words, environment = command
        return launched(self.programs / "launch", self.folder / "out", words, environment, self.arguments.patience,
                        self.server)

    def count_requests(self, name, client, command):
        """A run whose requests go through the proxy: the program's address of the server stays the same, or is replaced."""
        words, environment = command
        self.proxy.take()
        up, down = self.proxy.up, self.proxy.down
        with client.through(self.proxy.url):
            run = self.measured((words, {**environment, "no_proxy": "", "http_proxy": self.proxy.url.rstrip("/")}))
        log = self.proxy.take()
        writes = sum(method in WRITES for method, _, _ in log)
        self.traffic[name, client.name] = Traffic(len(log), self.proxy.up - up, self.proxy.down - down, writes)
        if os.environ.get("BENCHMARK_REQUESTS"):
            say(f"{name}, {client.name}: {summary(log)}")
        if run.isOver and client.name == "remindav":
            self.traffic[name, client.name] = Traffic(float("nan"), 0, 0, writes)
        return run

    def compare(self):
        """Checks that each client did all of the work."""
        for client in self.clients[:2]:
            here = client.holds()
            there = titles(member.text for member in self.server.members(client.user, "tasks")[0].values())
            if here != there:
                differing = [uid for uid in here.keys() | there.keys() if here.get(uid) != there.get(uid)]
                raise SystemExit(f"{client.name} and its server do not hold the same: {len(differing)} differ, "
                                 f"{[(uid, here.get(uid), there.get(uid)) for uid in differing[:2]]}")

    # Telling

    def median(self, name, client, what):
        runs = self.runs.get((name, client))
        return statistics.median(getattr(run, what) for run in runs) if runs else None

    def show_head(self):
        columns = "requests | up kB | down kB | wall s | x floor | client CPU s | server CPU s | peak MB"
        print(f"\n| {self.count:,} to-dos | {columns} |")
        print("|---|---|---|---|---|---|---|---|---|", flush=True)

    def show(self, name):
        """Prints the measurements of a case as soon as they are known."""
        floor = self.median(name, "floor", "wall")
        for client in ["remindav", "vdirsyncer", "floor"]:
            runs = self.runs.get((name, client))
            if runs:
                self.show_row(CASES[name], client, runs, self.traffic[name, client], floor)

    def show_row(self, words, client, runs, traffic, floor):
        def median(what):
            return statistics.median(getattr(run, what) for run in runs)
        walls = sorted(run.wall for run in runs)
        wall = figure(median("wall")) + (f" ({figure(walls[0])} to {figure(walls[-1])})" if len(runs) > 1 else "")
        wall = f"over {wall}" if runs[0].isOver else wall
        requests = "" if traffic.requests != traffic.requests else f"{traffic.requests:,}"
        print(f"| {words}, {client} | {requests} | {traffic.up / 1000:,.1f} | {traffic.down / 1000:,.1f} | {wall} | "
              f"{figure(median('wall') / floor)} | {figure(median('cpu'))} | {figure(median('server'))} | "
              f"{median('memory') / 1e6:.0f} |", flush=True)


def summary(log):
    """Requests in the order in which they came, repeated ones counted."""
    groups = []
    for method, _, status in log:
        if groups and groups[-1][:2] == [method, status]:
            groups[-1][2] += 1
        else:
            groups.append([method, status, 1])
    return ", ".join(f"{method} {status}" + (f" x{times}" if times > 1 else "") for method, status, times in groups[:30])


def figure(number):
    return f"{number:.3f}" if number < 1 else f"{number:.2f}" if number < 10 else f"{number:,.1f}"


def launched(launch, out, words, environment, patience, server):
    """One run of a program from its start to its end."""
    before = server.cpu()
    started = time.monotonic()
    process = subprocess.Popen([str(word) for word in [launch, out, *words]], env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        said, complaint = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Run(time.monotonic() - started, float("nan"), server.cpu() - before, float("nan"), True)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))} ended with {process.returncode}:\n{complaint[-2000:]}"
                         f"{Path(out).read_text()[-2000:]}")
    numbers = dict(word.split("=") for word in said.split())
    return Run(float(numbers["wall"]), float(numbers["cpu"]), server.cpu() - before, int(numbers["memory"]), False)


class Distance:
    """200 to-dos each way with a server that answers after 100 ms, and over one connection that does one thing at a time."""

    def __init__(self, folder, programs, arguments):
        self.folder = Path(folder)
        self.programs = programs
        self.arguments = arguments
        self.walls = {}

    def run(self):
        texts = todos(DISTANCE_COUNT * 2)
        uids = list(texts)
        self.here = {uid: texts[uid] for uid in uids[:DISTANCE_COUNT]}
        self.there = {uid: texts[uid] for uid in uids[DISTANCE_COUNT:]}
        with Server(["remindav", "floor"]) as server:
            proxy = subprocess.Popen([sys.executable, HERE / "delaying.py", str(server.port), str(DISTANCE_MILLISECONDS)],
                                     stdout=subprocess.PIPE, text=True)
            try:
                self.url = f"http://127.0.0.1:{proxy.stdout.readline().strip()}/"
                self.measure(server)
            finally:
                proxy.terminate()
                proxy.wait()
                proxy.stdout.close()

    def measure(self, server):
        for user in ["remindav", "floor"]:
            server.make(user, "tasks", LIST)
        remindav, floor = Remindav(server, self.folder), Floor(server, self.folder, self.programs / "dav_floor")
        remindav.url = floor.url = self.url
        floor.connections = 1
        remindav.connect("tasks")
        self.time("first", remindav, server)
        remindav.put_in(self.here)
        floor.settle()
        floor.look()
        floor.create(self.here)
        self.time("uploads", remindav, server)
        self.time("uploads", floor, server)
        for user in ["remindav", "floor"]:
            for uid, text in self.there.items():
                server.ask(user, "PUT", f"/{user}/tasks/{uid}.ics", text)
        floor.requests = []
        floor.fetch()
        self.time("downloads", remindav, server)
        self.time("downloads", floor, server)
        floor.requests = []
        for member in server.members("floor", "tasks")[0].values():
            if len(floor.requests) < DISTANCE_COUNT:
                floor.add("GET", member.path)
        self.time("single downloads", floor, server)
        if len(remindav.holds()) != 2 * DISTANCE_COUNT:
            raise SystemExit("remindav has not got all that came over the distance")

    def time(self, what, client, server):
        words, environment = client.command()
        run = launched(self.programs / "launch", self.folder / "out", words, environment, self.arguments.patience, server)
        self.walls[what, client.name] = run.wall

    def show(self):
        print(f"\n| {DISTANCE_COUNT} to-dos, each answer after {DISTANCE_MILLISECONDS} ms | Remindav, wall s | "
              "over one connection | times as fast |\n|---|---|---|---|")
        for what, words in [("uploads", "uploads"), ("downloads", "downloads, one request over one connection"),
                            ("single downloads", "downloads, one request for each")]:
            ours = self.walls["downloads" if what == "single downloads" else what, "remindav"]
            theirs = self.walls[what, "floor"]
            print(f"| {words} | {figure(ours)} | {figure(theirs)} | {figure(theirs / ours)} |")

    def bounds(self):
        ours = self.walls["uploads", "remindav"] + self.walls["downloads", "remindav"]
        theirs = self.walls["uploads", "floor"] + self.walls["downloads", "floor"]
        yield bound("100 ms away: 200 uploads and 200 downloads, times as fast as one connection",
                    theirs / ours, at_least=3)


def bound(what, measured, at_least=None, at_most=None):
    """Adds a bound. A value that is not a number counts as missed."""
    if at_least is not None:
        return Bound(what, f"at least {figure(at_least)}", figure(measured), measured >= at_least)
    return Bound(what, f"at most {figure(at_most)}", figure(measured), measured <= at_most)


def bounds(benches):
    """Checks the bounds of the project."""
    for count, bench in sorted(benches.items()):
        def ours(name, what="wall"):
            return bench.median(name, "remindav", what)

        def wall_of(name, other):
            return bench.median(name, other, "wall")

        def traffic(name):
            return bench.traffic[name, "remindav"]

        size = f"{count:,}: "
        if ours("idle"):
            requests = traffic("idle").requests
            yield Bound(size + "idle, requests of the account", "exactly 1", str(requests), requests == 1)
            yield bound(size + "idle, wall beyond the floor, s", ours("idle") - wall_of("idle", "floor"), at_most=0.050)
            yield bound(size + "idle, client CPU, part of vdirsyncer's",
                        ours("idle", "cpu") / bench.median("idle", "vdirsyncer", "cpu"), at_most=0.1)
        if ours("remote"):
            requests = traffic("remote").requests
            yield Bound(size + "one change there, requests", "at most 3", str(requests), requests <= 3)
        if ours("hundred"):
            yield bound(size + "100 changes on each side, times the floor's wall",
                        ours("hundred") / wall_of("hundred", "floor"), at_most=1.15)
        if ours("deletions"):
            # The work for each to-do must not grow with the list.
            yield bound(size + "1,000 deletions here, client CPU, part of vdirsyncer's",
                        ours("deletions", "cpu") / bench.median("deletions", "vdirsyncer", "cpu"), at_most=1)
        if ours("download") and count >= 10_000:
            yield bound(size + "first download, part of vdirsyncer's wall",
                        ours("download") / wall_of("download", "vdirsyncer"), at_most=1 / 3)
            yield bound(size + "first download, peak memory, MB", ours("download", "memory") / 1e6, at_most=100)
        if ours("pairing"):
            writes = traffic("pairing").writes
            yield Bound(size + "filled alike, writes", "none", str(writes), writes == 0)
            if wall_of("pairing", "vdirsyncer"):
                yield bound(size + "filled alike, part of vdirsyncer's wall",
                            ours("pairing") / wall_of("pairing", "vdirsyncer"), at_most=1 / 50)
        if ours("upload") and wall_of("upload", "vdirsyncer"):
            yield bound(size + "first upload, part of vdirsyncer's wall",
                        ours("upload") / wall_of("upload", "vdirsyncer"), at_most=1 / 8)


def compiled(folder):
    """The two programs in C."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libcurl"], check=True, capture_output=True, text=True)
    for name, more in [("launch", []), ("dav_floor", flags.stdout.split())]:
        subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2", "-o", Path(folder) / name,
                        HERE / "peers" / f"{name}.c", *more], check=True)


def main(arguments):
    # The servers end with this process.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if not BINARY.exists():
        raise SystemExit(f"{BINARY} is not built: swift build -c release --product remindav --disable-local-rpath")
    install()
    benches, rows = {}, []
    with tempfile.TemporaryDirectory(prefix="remindav-bench-") as folder:
        compiled(folder)
        print(f"{platform.platform()}, {platform.machine()}; {arguments.rounds} rounds", flush=True)
        if set(arguments.only) - {"distance"}:
            for count in arguments.sizes:
                benches[count] = bench = Bench(tempfile.mkdtemp(dir=folder), Path(folder), count, arguments)
                bench.run()
        rows += bounds(benches)
        if "distance" in arguments.only:
            distance = Distance(tempfile.mkdtemp(dir=folder), Path(folder), arguments)
            distance.run()
            distance.show()
            rows += distance.bounds()
    print("\n| asked | bound | measured | |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row.what} | {row.asked} | {row.measured} | {'ok' if row.isKept else 'MISSED'} |")
    if arguments.keep:
        runs = {f"{count} {case} {client}": [run._asdict() for run in runs]
                for count, bench in benches.items() for (case, client), runs in bench.runs.items()}
        Path(arguments.keep).write_text(json.dumps(runs, indent=1))
    return 0 if rows and all(row.isKept for row in rows) else 1


def words(text):
    return text.split(",")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=[1000, 10_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", type=words, default=[*CASES, "distance"])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--patience", type=float, default=600)
    parser.add_argument("--keep")
    raise SystemExit(main(parser.parse_args()))
