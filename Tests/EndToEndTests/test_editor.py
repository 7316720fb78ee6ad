"""`edit` in an editor, on a pseudo-terminal: edited fields change, and no copy of the text remains."""

import os
import pty
import select
import signal
import time

from harness import BINARY, OK, USAGE, EndToEnd

INTERRUPTED = 130
# An editor that reports when a signal can reach it. A shell may end while its `sleep` continues, so it is not used.
WAITING = "exec python3 -c 'import time; print(\"ready\", flush=True); time.sleep(60)'"


class Terminal:
    """The binary on a separate terminal."""

    def __init__(self, device, *arguments, editor, ignored=None):
        environment = {**device.environment, "EDITOR": editor, "TERM": "dumb"}
        self.shown = b""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(device.folder)
            # The tests may themselves run under nohup.
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            if ignored:
                signal.signal(ignored, signal.SIG_IGN)
            os.execve(BINARY, [str(BINARY), *arguments], environment)

    def read(self, seconds):
        if not select.select([self.file], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self.file, 4096)
        except OSError:     # the other end is closed
            return False
        self.shown += piece
        return bool(piece)

    def until(self, words, seconds=60):
        end = time.monotonic() + seconds
        while words not in self.shown:
            if time.monotonic() > end or not self.read(1):
                raise AssertionError(f"{words} was not shown, but {self.shown}")

    def type(self, text):
        os.write(self.file, text)

    def end(self, seconds=60):
        """The exit status, negative for a signal."""
        end = time.monotonic() + seconds
        while self.read(0.1) and time.monotonic() < end:
            pass
        if time.monotonic() >= end:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self.file)
        return os.waitstatus_to_exitcode(status)


class EditInAnEditor(EndToEnd):
    def setUp(self):
        super().setUp()
        self.laptop = self.device("laptop")
        self.run_folder = self.laptop.folder / "run"
        self.run_folder.mkdir(mode=0o700)
        self.laptop.run("add", "Buy milk", "--notes", "Line 1\nLine 2", "--due", "2035-03-01 10:00", "--label", "home")
        self.before = self.laptop.run("export").bytes

    def assert_nothing_is_left(self):
        self.assertEqual(os.listdir(self.run_folder), [])

    def edited(self, editor, code=OK):
        terminal = Terminal(self.laptop, "edit", "1", editor=editor)
        self.assertEqual(terminal.end(), code, terminal.shown)
        self.assert_nothing_is_left()
        return terminal.shown.decode()

    def test_a_changed_title_changes_its_line_and_the_stamps(self):
        shown = self.edited("sed -i -e 's/^Title:.*/Title: Buy bread/'")
        self.assertIn("Changed 1: Buy bread", shown)
        after = self.laptop.run("export").bytes
        different = [line for line in self.before.split(b"\r\n") if line not in after.split(b"\r\n")]
        self.assertEqual([line.split(b":")[0] for line in different
                          if line.split(b":")[0] not in (b"DTSTAMP", b"LAST-MODIFIED")], [b"SUMMARY"])

    def test_an_unchanged_text_changes_nothing(self):
        for editor in ("true", "touch", "sed -i -e 's/$/\\r/'", "truncate -s 0"):
            with self.subTest(editor):
                self.assertIn("Nothing was changed", self.edited(editor))
                self.assertEqual(self.laptop.run("export").bytes, self.before)

    def test_a_failing_or_missing_editor_changes_nothing(self):
        for editor in ("sed -i -e s/milk/bread/ \"$1\"; false", "no-such-editor"):
            with self.subTest(editor):
                shown = self.edited(editor, 1)
                self.assertIn("ditor", shown)
                self.assertEqual(self.laptop.run("export").bytes, self.before)

    def test_the_saved_text_is_kept_if_the_editor_fails_or_the_text_is_too_large(self):
        save = "sed -i -e s/milk/bread/ \"$1\"; "
        large = save + "head -c 2000000 /dev/zero | tr '\\0' x >>"
        for number, editor in enumerate((save + "exit 1;", save + "kill -KILL $$;", large), 1):
            with self.subTest(editor):
                shown = self.edited(editor, 1)
                kept = self.laptop.store / ("edit-1.txt" if number == 1 else f"edit-1-{number}.txt")
                self.assertIn(str(kept), shown.replace("\r\n", ""))
                self.assertIn("Title: Buy bread", kept.read_text())
                self.assertEqual(self.laptop.run("export").bytes, self.before)
        self.assertGreater(kept.stat().st_size, 2000000)

    def test_ctrl_c_belongs_to_the_editor_and_leaves_no_file(self):
        # An editor that ends on the signal; most editors do not.
        terminal = Terminal(self.laptop, "edit", "1", editor=WAITING)
        terminal.until(b"ready")
        self.assertEqual(len(os.listdir(self.run_folder)), 1)
        terminal.type(b"\x03")
        self.assertEqual(terminal.end(), INTERRUPTED, terminal.shown)
        self.assert_nothing_is_left()
        # If the editor continues, so does remindav.
        terminal = Terminal(self.laptop, "edit", "1", editor="trap '' INT; echo ready; sleep 1; sed -i -e s/milk/tea/")
        terminal.until(b"ready")
        terminal.type(b"\x03")
        self.assertEqual(terminal.end(), OK, terminal.shown)
        self.assert_nothing_is_left()
        self.assertEqual(self.laptop.json("show", "1")["title"], "Buy tea")

    def test_a_terminated_program_removes_the_file(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            terminal = Terminal(self.laptop, "edit", "1", editor=WAITING)
            terminal.until(b"ready")
            os.kill(terminal.pid, number)
            self.assertEqual(terminal.end(), -number, terminal.shown)
            self.assert_nothing_is_left()
        self.assertEqual(self.laptop.run("export").bytes, self.before)

    def test_a_hangup_that_is_ignored_as_nohup_does_stays_ignored(self):
        terminal = Terminal(self.laptop, "edit", "1", editor="echo ready; sleep 1; sed -i -e s/milk/tea/",
                            ignored=signal.SIGHUP)
        terminal.until(b"ready")
        os.kill(terminal.pid, signal.SIGHUP)
        self.assertEqual(terminal.end(), OK, terminal.shown)
        self.assert_nothing_is_left()
        self.assertEqual(self.laptop.json("show", "1")["title"], "Buy tea")

    def test_an_error_is_reported_with_its_line_and_can_be_corrected(self):
        editor = "sed -i -e 's/^Priority: soon/Priority: low/; s/^Priority:$/Priority: soon/'"
        terminal = Terminal(self.laptop, "edit", "1", editor=editor)
        terminal.until(b"[Y/n]")
        self.assertIn(b"line 10: ", terminal.shown)
        self.assert_nothing_is_left()
        terminal.type(b"y\n")
        self.assertEqual(terminal.end(), OK, terminal.shown)
        self.assertEqual(self.laptop.json("show", "1")["priority"], "low")

    def test_each_end_at_the_question_changes_nothing_and_loses_nothing(self):
        kept = self.laptop.store / "edit-1.txt"
        for end, status in ((b"\x03", -signal.SIGINT), (b"\x04", USAGE), (signal.SIGTERM, -signal.SIGTERM),
                            (signal.SIGHUP, -signal.SIGHUP), (signal.SIGKILL, -signal.SIGKILL)):
            with self.subTest(end):
                terminal = Terminal(self.laptop, "edit", "1", editor="sed -i -e 's/^Priority:.*/Priority: soon/'")
                terminal.until(b"[Y/n]")
                self.assertIn(str(kept).encode(), terminal.shown.replace(b"\r\n", b""))
                if isinstance(end, bytes):
                    terminal.type(end)
                else:
                    os.kill(terminal.pid, end)
                self.assertEqual(terminal.end(), status, terminal.shown)
                self.assertIn("Priority: soon", kept.read_text())
                kept.unlink()
                self.assertEqual(self.laptop.run("export").bytes, self.before)

    def test_the_answer_no_saves_the_text_in_a_file_of_this_user(self):
        terminal = Terminal(self.laptop, "edit", "1", editor="sed -i -e 's/^Priority:.*/Priority: soon/'")
        terminal.until(b"[Y/n]")
        terminal.type(b"n\n")
        self.assertEqual(terminal.end(), USAGE, terminal.shown)
        kept = self.laptop.store / "edit-1.txt"
        self.assertIn(str(kept).encode(), terminal.shown.replace(b"\r\n", b""))
        self.assertIn("Priority: soon", kept.read_text())
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
        self.assertEqual(self.laptop.run("export").bytes, self.before)

    def test_without_a_terminal_the_options_are_named(self):
        result = self.laptop.run("edit", "1", code=USAGE)
        self.assertIn("--title", result.err)
