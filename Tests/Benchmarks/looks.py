"""How long it takes to look at one reminder among many, to find some, and to count all.

    looks.py [COUNT [ROUNDS]]

Rounds take turns, so that what else the machine does hits all commands. Prints the median of each, beside that of
`--version`, which is the start of the program, and of `list`. Fails when `show` takes 30 ms or more.
"""

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEndTests"))

import corpus  # noqa: E402
from harness import BINARY, Device  # noqa: E402
from list import timed  # noqa: E402

MOST_MILLISECONDS = 30


def main(count=10_000, rounds=15):
    with tempfile.TemporaryDirectory(prefix="remindav-bench-") as folder:
        whole = Path(folder) / "all.ics"
        # The last one has a part, so that there is one to be found.
        parent, part = (f"BEGIN:VTODO\r\nUID:{uid}\r\nSUMMARY:Weigh the {uid}\r\n{line}END:VTODO\r\n".encode()
                        for uid, line in (("whale", ""), ("whale-calf", "RELATED-TO:whale\r\n")))
        text = corpus.calendar(range(count - 2))
        end = text.rindex(b"END:VCALENDAR")
        whole.write_bytes(text[:end] + parent + part + text[end:])
        laptop = Device(folder, "laptop")
        laptop.run("import", whole, timeout=600)
        number = laptop.id_of("whale")
        shown = laptop.json("show", number)
        assert [one["uid"] for one in shown["subtasks"]] == ["whale-calf"], shown["subtasks"]
        commands = {
            "--version": ["--version"], "show": ["show", number], "search, one found": ["search", "whale", "weigh", "calf"],
            "search, none found": ["search", "nowhere"], "stats": ["stats"], "list": ["list"],
        }
        times = {name: [] for name in commands}
        for _ in range(rounds):
            for name, words in commands.items():
                times[name].append(timed([str(BINARY), *words], laptop.environment)[0])
        for name, values in times.items():
            print(f"{name}, {count} reminders: median {statistics.median(values) * 1000:.1f} ms "
                  f"({min(values) * 1000:.1f} to {max(values) * 1000:.1f}), {rounds} rounds")
        return 0 if statistics.median(times["show"]) * 1000 < MOST_MILLISECONDS else 1


if __name__ == "__main__":
    raise SystemExit(main(*map(int, sys.argv[1:])))
