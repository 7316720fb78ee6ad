"""How fast a file goes in, how much memory that takes, and how fast it comes out again.

    import.py [COUNT...]        default: 10000 100000
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEndTests"))

import corpus  # noqa: E402
from harness import BINARY, Device  # noqa: E402


def measured(device, *arguments):
    """Seconds and the largest resident size in bytes of one run."""
    started = time.perf_counter()
    process = subprocess.Popen([str(BINARY), *map(str, arguments)], env=device.environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{arguments[0]} failed with {process.returncode}")
    return time.perf_counter() - started, usage.ru_maxrss * 1024


def report(label, count, size, seconds, memory):
    print(f"{label}: {count} to-dos, {size / 1e6:.1f} MB in {seconds:.2f} s = {count / seconds:.0f} to-dos/s, "
          f"{size / 1e6 / seconds:.1f} MB/s, at most {memory / 1e6:.0f} MB of memory")


def main(counts):
    for count in counts:
        with tempfile.TemporaryDirectory(prefix="remindav-bench-") as folder:
            folder = Path(folder)
            path = folder / "in.ics"
            # In another process: the memory of this process counts as the memory of its children.
            subprocess.run([sys.executable, "-c", f"import corpus; corpus.write({count}, {str(path)!r})"],
                           cwd=Path(corpus.__file__).parent, check=True)
            size = path.stat().st_size
            laptop = Device(folder, "laptop")
            report("import", count, size, *measured(laptop, "import", path))
            report("import of the same again", count, size, *measured(laptop, "import", path))
            out = folder / "out.ics"
            seconds, memory = measured(laptop, "export", "-o", out)
            report("export", count, out.stat().st_size, seconds, memory)


if __name__ == "__main__":
    main(list(map(int, sys.argv[1:])) or [10_000, 100_000])
