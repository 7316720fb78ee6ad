"""Builds the fuzzer (libFuzzer and ASan), which searches for inputs that break the laws of Tests/Fuzz/Laws.

  python3 Tests/Fuzz/run.py                       20 seconds for each law, two at a time
  python3 Tests/Fuzz/run.py --minutes 30          30 minutes for each law
  python3 Tests/Fuzz/run.py rules zones           only these laws
  python3 Tests/Fuzz/run.py --replay LAW FILE...  tries single inputs
  python3 Tests/Fuzz/run.py --summary             the results of the last run into --folder

An input is saved in FOLDER/LAW/found/ if it breaks a law, crashes, leaks, takes more than 100 ms or needs more than 64 MB
for each 64 KiB of its size. Minimise it (-minimize_crash=1) and put it into Fixtures/fuzz/LAW/: a unit test and every later
run read it.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import seeds

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LAWS = ("lines", "components", "values", "rules", "zones", "round-trip", "reading")
BUILD = ROOT / ".build" / "fuzz"
BINARY = BUILD / "release" / "Fuzz"
RELEASE = ROOT / ".build" / "release" / "Mutations"
LARGEST_INPUT = 65536

OPTIONS = (
    f"-dict={HERE / 'icalendar.dict'}", f"-max_len={LARGEST_INPUT}", "-detect_leaks=1", "-print_final_stats=1",
    # The process with ASan's shadow and its store of freed memory; one allocation; seconds on the wall for one input.
    "-rss_limit_mb=1024", "-malloc_limit_mb=64", "-timeout=20", "-use_value_profile=1",
)


def build():
    command = ["swift", "build", "-c", "release", "--scratch-path", str(BUILD), "--product", "Fuzz"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "REMINDAV_FUZZ": "1"}, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout, done.stderr)
    return done.returncode == 0


def environment():
    """ASan keeps little freed memory, so that the measured memory is that of the inputs."""
    return {**os.environ, "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "quarantine_size_mb=16:detect_leaks=1"}


def readers():
    return int(subprocess.run([BINARY, "readers"], capture_output=True, text=True, check=True).stdout)


def run(law, seconds, folder):
    """Searches for `seconds`. After a find the search continues for the remaining time."""
    place = folder / law
    found, corpus, log = place / "found", place / "corpus", place / "log"
    found.mkdir(parents=True, exist_ok=True)
    corpus.mkdir(exist_ok=True)
    seeds.write(place / "seeds", law, readers())
    end = time.monotonic() + seconds
    with open(log, "wb") as stream:
        for _ in range(50):
            left = int(end - time.monotonic())
            if left <= 0:
                break
            command = [BINARY, law, *OPTIONS, f"-max_total_time={left}", f"-artifact_prefix={found}/", corpus, place / "seeds"]
            if subprocess.run(command, stdout=stream, stderr=stream, env=environment()).returncode == 0:
                break
            time.sleep(1)


def bound(law, folder):
    """Reads the saved inputs again with a release build, in 100 ms for each 64 KiB, without the overhead of ASan."""
    files = sorted(path for part in ("seeds", "corpus") for path in (folder / law / part).glob("*"))
    lines = []
    for start in range(0, len(files), 5000):
        done = subprocess.run([RELEASE, "--bound", law, *files[start : start + 5000]], capture_output=True, text=True)
        lines += done.stdout.splitlines() or [f"it ended with {done.returncode}"]
    (folder / law / "bound").write_text("\n".join(lines) + "\n")


def summary(law, folder):
    """One line about a run, and whether all is well."""
    place = folder / law
    log = (place / "log").read_text(errors="replace") if (place / "log").exists() else ""
    number = lambda pattern: [int(word) for word in re.findall(pattern, log)]
    runs = sum(number(r"stat::number_of_executed_units: *(\d+)"))
    progress = number(r"^#(\d+)\t") or [0]
    features = max(number(r" ft: (\d+)") or [0])
    slowest = re.findall(r"slowest: ([\d.]+) ms \((\d+) bytes\); largest: (\d+) KiB \((\d+) bytes\)", log)
    time_spent = max(((float(one[0]), one[1]) for one in slowest), default=(0, "0"))
    heap = max(((int(one[2]), one[3]) for one in slowest), default=(0, "0"))
    rss = max(number(r"stat::peak_rss_mb: *(\d+)") or number(r" rss: (\d+)Mb") or [0])
    finds = sorted(path.name for path in (place / "found").glob("*")) if place.exists() else []
    # libFuzzer also keeps inputs that were slow on the wall and broke nothing; the laws measure the thread's own time.
    finds = [name for name in finds if not name.startswith("slow-unit")]
    broken = re.findall(r"LAW .* BROKEN: .*|ERROR: .*Sanitizer.*|Fatal error: .*|SUMMARY: .*", log)
    text = (
        f"{law}: {max(runs, progress[-1]):,} inputs, {features:,} features, {len(finds)} found; slowest {time_spent[0]} ms "
        f"({time_spent[1]} bytes), most memory {heap[0]:,} KiB ({heap[1]} bytes), process {rss} MB"
    )
    for line in broken[:10]:
        text += f"\n    {line[:1500]}"
    for name in finds[:10]:
        text += f"\n    {place / 'found' / name}"
    well = runs > 0 and not finds and not broken
    exact = (place / "bound").read_text().splitlines() if (place / "bound").exists() else []
    for line in exact:
        text += f"\n    built for release: {line[:500]}"
        well = well and line.endswith(" 0 broken or over 100 ms")
    if law == "values" and runs > 0:
        reached = dict(re.findall(r"value: (.*): \d+ inputs, (\d+) values", log))
        unread = [name for name, count in reached.items() if int(count) == 0]
        if unread or not reached:
            well = False
            text += f"\n    no value was read of: {', '.join(unread) or 'any type'}"
        else:
            text += f"; values of all {len(reached)} types were read"
    return text, well


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("laws", nargs="*", metavar="LAW", help=", ".join(LAWS))
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--minutes", type=int)
    parser.add_argument("--jobs", type=int, default=2, help="laws at a time")
    parser.add_argument("--folder", type=Path, default=ROOT / ".build" / "fuzz-runs")
    parser.add_argument("--counts", type=Path,
                        help="a file for the numbers of laws that held and that did not, and a line for each of these")
    parser.add_argument("--built", action="store_true", help="the fuzzer is built already")
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if options.replay:
        return subprocess.run([BINARY, *options.laws], env=environment()).returncode
    laws = options.laws or LAWS
    if not options.summary:
        if not options.built and not build():
            return 1
        seconds = options.minutes * 60 if options.minutes else options.seconds
        print(f"{seconds} s for each law, {options.jobs} at a time", flush=True)
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda law: run(law, seconds, options.folder), laws))
        if RELEASE.exists():
            for law in laws:
                bound(law, options.folder)
    results = [summary(law, options.folder) for law in laws]
    for text, _ in results:
        print(text)
    held = sum(well for _, well in results)
    if options.counts:
        bad = [text for text, well in results if not well]
        options.counts.write_text("\n".join([f"{held} {len(bad)}", *bad]) + "\n")
    return 0 if held == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
