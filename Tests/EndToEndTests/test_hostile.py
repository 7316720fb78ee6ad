"""Files made to hurt: each is read without loss or refused with a sentence, in time and memory that its size bounds."""

import time

import hostile
from harness import INSIDE, OK, PARTIAL, EndToEnd

MB = 1_000_000
# Memory of the process itself, besides that for a file: libraries, tables, a line or a component at its limit.
BASE = 64 * MB
# A streaming reader holds one component of up to 16 MiB three times: as bytes, as a tree, and in its stored form.
IMPORT_LIMIT = BASE + 3 * (16 << 20)
# The size of a tree relative to its file: `BEGIN:A` and `END:A` are 16 bytes, and become two lines and a component.
TREE_FACTOR = 6
# `ics expand` sorts the components by UID, so it has a list of them in addition to the tree.
LIST_FACTOR = 3


# The processor time of `slowness` on the machine for which the limits were chosen.
USUAL_SECONDS = 0.11


def slowness():
    """The factor by which this machine is slower than the reference machine; at least 1."""
    start = time.process_time()
    total = 0
    for number in range(2_000_000):
        total ^= number
    return max(1.0, (time.process_time() - start) / USUAL_SECONDS)


class HostileFiles(EndToEnd):
    """Measures processor time, not wall time, because other tests may run at the same time."""

    def write_file(self, pieces):
        path = self.folder / "hostile.ics"
        with open(path, "wb") as file:
            for piece in pieces:
                file.write(piece)
        return path

    def assert_sentences(self, code, error, answer):
        """Checks that the messages are readable and short; `ics check` prints them on standard output."""
        self.assertNotRegex(error, INSIDE)
        self.assertLess(len(error), 20_000)
        if code not in (OK, PARTIAL):
            self.assertRegex(error + answer, r"\w+ \w+", "it says nothing")

    def try_file(self, name):
        path = self.write_file(hostile.files()[name]())
        size = path.stat().st_size
        seconds = max(1.0, size / (10 * MB)) * slowness()
        device = self.device("laptop")
        device.run("list")
        wanted = {
            "check": (["ics", "check", path], BASE + TREE_FACTOR * size),
            "format": (["ics", "format", path], BASE + (TREE_FACTOR + 2) * size),
            "expand": (["ics", "expand", path, "--limit", "1000"], BASE + (TREE_FACTOR + LIST_FACTOR) * size),
            "import": (["import", path], IMPORT_LIMIT),
        }
        for command, (arguments, memory) in wanted.items():
            with self.subTest(file=name, command=command):
                answer = self.folder / "answer"
                with open(answer, "wb") as out:
                    code, error, spent, peak = device.measured(*arguments, out=out)
                note = f"exit {code}, {spent:.2f} of {seconds:.1f} s, {peak / MB:.0f} of {memory / MB:.0f} MB"
                print(f"\n      {name}, {command}: {note}; {error[:110]!r}")
                self.assertIn(code, range(10), f"{note}: {error[:500]}")
                self.assert_sentences(code, error, answer.open("rb").read(1000).decode("utf-8", "replace"))
                self.assertLessEqual(spent, seconds, note)
                self.assertLessEqual(peak, memory, note)
                if command == "format" and code == OK:
                    self.assert_nothing_lost(path, answer)
                answer.unlink()
        self.assertEqual(device.integrity(), "ok")
        path.unlink()

    def assert_nothing_lost(self, before, after):
        """The numbers of some letters must be equal; folds and line ends do not contain these letters."""
        self.assertEqual(letters(before), letters(after), "what formatting wrote has other letters than what it read")


def letters(path):
    """The number of occurrences of some bytes in a file, which is read in pieces."""
    counts = dict.fromkeys(b":;,=\"x0vyABEGINTDO", 0)
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            for byte in counts:
                counts[byte] += piece.count(byte)
    return counts


def make(name):
    return lambda self: self.try_file(name)


for number, name in enumerate(hostile.files()):
    words = "".join(letter if letter.isalnum() else "_" for letter in name.lower())
    setattr(HostileFiles, f"test_{number:02}_{words}", make(name))
