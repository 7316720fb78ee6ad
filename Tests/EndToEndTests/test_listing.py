"""Filters, orders, saved filters and the pager, with the built binary."""

import fcntl
import os
import pty
import select
import shutil
import struct
import termios
import time
import unittest

from harness import BINARY, OK, USAGE, EndToEnd
from signin import at_terminal

ROWS, COLUMNS = 24, 80


def on_screen(device, *arguments, keys=(), environment=None, seconds=30):
    """Runs the binary on a terminal of 24 rows. Returns the exit status and the shown bytes.

    Each of `keys` is typed when the terminal has been silent for a while: the pager then waits for a key.
    """
    device.note(arguments)
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.chdir(device.folder)
        variables = {**device.environment, "TERM": "xterm", "NO_COLOR": "1", **(environment or {})}
        os.execve(BINARY, [str(BINARY), *map(str, arguments)], variables)
    shown, keys = b"", list(keys)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.5)[0]:
            if keys and shown:
                os.write(terminal, keys.pop(0))
            continue
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.replace(b"\r\n", b"\n")


class Listing(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")

    def fill(self, count):
        todos = []
        for number in range(count):
            todos.append(
                f"BEGIN:VTODO\nUID:{number}\nDTSTAMP:20260101T000000Z\nSUMMARY:Task {number:03}\n"
                f"DUE;VALUE=DATE:2099{1 + number % 12:02}01\nPRIORITY:{[0, 1, 5, 9][number % 4]}\n"
                f"CATEGORIES:{['work', 'home'][number % 2]}\nEND:VTODO\n")
        path = self.laptop.folder / "tasks.ics"
        path.write_text("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n" + "".join(todos) + "END:VCALENDAR\n")
        self.laptop.run("import", path)

    def configure(self, text):
        path = self.laptop.home / ".config" / "remindav" / "config"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_filters_and_a_sort_equal_the_same_selection_in_json(self):
        self.fill(100)
        everything = self.laptop.json("list")
        found = self.laptop.json("list", "--label", "work", "--priority", "medium", "--due-after", "2099-06-01",
                                 "--sort", "-due,title")
        expected = [one for one in everything
                    if one["labels"] == ["work"] and one["priority"] == "medium" and one["due"] > "2099-06-01"]
        expected.sort(key=lambda one: one["title"])
        expected.sort(key=lambda one: one["due"], reverse=True)
        self.assertEqual(found, expected)
        self.assertTrue(found)
        self.assertEqual(self.laptop.json("list", "--label", "work", "--priority", "medium", "--due-after", "2099-06-01",
                                          "--sort", "-due,title", "--limit", "2"), expected[:2])

    def test_a_saved_filter_is_used_and_a_mistake_names_its_line(self):
        self.fill(20)
        self.configure("filter.work = --label work --sort -due\n")
        self.assertEqual(len(self.laptop.json("list", "work")), 10)
        self.assertEqual(len(self.laptop.json("search", "task", "--filter", "work", "--priority", "medium")), 5)
        path = self.configure("# mine\nfilter.work = --label work --priorty high\n")
        answer = self.laptop.run("list", code=USAGE)
        self.assertIn(f"{path}:2: 'filter.work': There is no option '--priorty'. Did you mean '--priority'?", answer.err)

    def test_long_output_goes_to_the_pager_as_a_whole(self):
        self.fill(100)
        page = self.laptop.folder / "page"
        # Words of the command are interpreted by the shell, and titles are not.
        self.laptop.run("add", f"$(touch {self.laptop.folder}/bad) `touch {self.laptop.folder}/bad`", "--due", "none")
        for variable in ("REMINDAV_PAGER", "PAGER"):
            status, shown = on_screen(self.laptop, "list", environment={variable: f"cat >'{page}'"})
            self.assertEqual((status, shown), (OK, b""))
            self.assertEqual(page.read_text().count("Task "), 100)
            page.unlink()
        self.assertFalse((self.laptop.folder / "bad").exists())
        for words in (("help", "list"), ("list", "--help"), ("search", "task")):
            status, shown = on_screen(self.laptop, *words, environment={"PAGER": f"cat >'{page}'"})
            self.assertEqual((status, shown), (OK, b""), words)
            page.unlink()

    def test_there_is_no_pager_for_short_quiet_or_json_output(self):
        self.fill(100)
        pager = {"REMINDAV_PAGER": "echo paged"}
        for words in (("list", "--limit", "3"), ("list", "--json"), ("list", "--quiet")):
            status, shown = on_screen(self.laptop, *words, environment=pager)
            self.assertEqual(status, OK)
            self.assertNotIn(b"paged", shown)
            self.assertIn(b"Task", shown)
        self.configure("pager = none\n")
        status, shown = on_screen(self.laptop, "list", environment={"PAGER": "echo paged"})
        self.assertEqual((status, shown.count(b"Task ")), (OK, 100))

    def test_without_the_pager_the_text_is_printed(self):
        self.fill(100)
        status, shown = on_screen(self.laptop, "list", environment={"REMINDAV_PAGER": "no-such-pager"})
        self.assertEqual((status, shown.count(b"Task ")), (OK, 100))

    @unittest.skipUnless(shutil.which("less"), "needs less")
    def test_less_shows_letters_in_a_locale_without_utf_8(self):
        self.fill(100)
        self.laptop.run("add", "Größe", "--due", "none")
        status, shown = on_screen(self.laptop, "list", keys=(b">", b"q"), environment={"LC_ALL": "C"})
        self.assertEqual(status, OK)
        self.assertIn("Größe".encode(), shown)

    @unittest.skipUnless(shutil.which("less"), "needs less")
    def test_q_and_ctrl_c_in_less_are_no_errors(self):
        self.fill(1000)
        for keys in ([b"q"], [b"\x03", b"q"]):
            status, shown = on_screen(self.laptop, "list", keys=keys)
            self.assertEqual(status, OK)
            self.assertIn(b"Task 000", shown)
            self.assertNotIn(b"Task 999", shown)


class Overview(EndToEnd):
    def test_the_page_without_a_command_fills_the_screen(self):
        laptop = self.device("laptop")
        laptop.run("add", "-", stdin="".join(f"Number {number} in {number} days\n" for number in range(1, 21)))
        for rows, more in ((60, None), (24, "8 more: 'remindav list'."), (10, "15 more: 'remindav list'.")):
            code, shown, _ = at_terminal(laptop, [], [], size=(rows, 100))
            self.assertEqual(code, OK, shown)
            self.assertEqual("more" in shown, more is not None, shown)
            self.assertIn(more or "Number 20", shown)


if __name__ == "__main__":
    unittest.main()
