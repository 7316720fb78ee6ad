"""The cost of a feed: processor time per answer and the memory of `serve`.

    feeds.py [COUNT]        default: 10000 reminders; the figures of docs/benchmarks.md

Prints the milliseconds of processor of the first body, of an unchanged 200, of a 304, of a 304 after a write of another
program that changes no reminder, and the resident memory after 1,000 requests. Exits with 1 if a figure is above its
limit (only for 10,000 reminders).
"""

import http.client
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "EndToEndTests"))

import corpus  # noqa: E402
from harness import Device, wait_for  # noqa: E402
from servers import free_port  # noqa: E402

# Milliseconds of processor for one answer, and MB of memory: the limits for 10,000 reminders.
LIMITS = {"first body": 250, "unchanged 200": 15, "304": 3, "resident memory": 64}
ADDRESS = re.compile(r"/feed/[0-9a-f]{32}\.ics")


class Feed:
    def __init__(self, device, path):
        self.path = path
        self.port = free_port()
        self.process = device.start("serve", "--port", self.port, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self.is_up, what="the feed server")

    def is_up(self):
        try:
            return self.ask("/feed/unknown.ics")[0] == 404
        except OSError:
            return False

    def ask(self, path=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", path or self.path, headers={name.replace("_", "-"): text for name, text in headers.items()})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def processor(self):
        """Milliseconds of processor of the server so far (the clock of another process, clock_getcpuclockid(3))."""
        return time.clock_gettime((~self.process.pid << 3) | 2) * 1000

    def memory(self, name="VmRSS"):
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+) kB", text)[1]) / 1024

    def measured(self, count, status, **headers):
        before = self.processor()
        for _ in range(count):
            answer = self.ask(**headers)
            assert answer[0] == status, answer[0]
        return (self.processor() - before) / count, answer

    def end(self):
        self.process.terminate()
        self.process.wait()


def main(count):
    figures = {}
    with tempfile.TemporaryDirectory(prefix="remindav-bench-") as folder:
        folder = Path(folder)
        corpus.write(count, str(folder / "in.ics"))
        device = Device(folder, "laptop")
        device.run("import", folder / "in.ics")
        feed = Feed(device, ADDRESS.search(device.run("feed", "create").out)[0])
        try:
            figures["first body"], (_, headers, body) = feed.measured(1, 200)
            tag = headers["ETag"]
            figures["first body, gzip"], (_, compressed, small) = feed.measured(1, 200, Accept_Encoding="gzip")
            print(f"{count} reminders: a body of {len(body) / 1e6:.2f} MB, {len(small) / 1e6:.2f} MB with gzip")
            figures["unchanged 200"] = feed.measured(100, 200)[0]
            figures["unchanged 200, gzip"] = feed.measured(100, 200, Accept_Encoding="gzip")[0]
            figures["304"] = feed.measured(500, 304, If_None_Match=tag)[0]
            figures["304, gzip"] = feed.measured(298, 304, If_None_Match=compressed["ETag"], Accept_Encoding="gzip")[0]
            figures["resident memory"] = feed.memory()
            figures["peak memory"] = feed.memory("VmHWM")
            # A write that changes no reminder, such as the record of a sync.
            device.run("labels", "add", "Unused")
            figures["304 after another write"] = feed.measured(1, 304, If_None_Match=tag)[0]
            device.run("add", "One more", "--due", "2035-05-05")
            figures["200 after a change"] = feed.measured(1, 200, If_None_Match=tag)[0]
        finally:
            feed.end()
    failed = False
    for name, value in figures.items():
        limit = LIMITS.get(name) if count == 10_000 else None
        failed = failed or limit is not None and value > limit
        unit = "MB" if "memory" in name else "ms"
        print(f"{name:26} {value:8.2f} {unit}" + (f"   limit {limit} {unit}" if limit else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
