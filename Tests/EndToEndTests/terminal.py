"""A terminal that records its input, and the control sequences in it."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from pathlib import Path

from harness import BINARY, ROOT

TITLES = ROOT / "Fixtures" / "cli" / "hostile-titles.txt"

# Bytes that control a terminal or mislead a reader: control characters, C1 in UTF-8, bidirectional controls, line and
# paragraph separator, byte order mark, interlinear annotation, tags. A line feed and a tab are no harm.
ACTIVE = re.compile(
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
    rb"|\xef\xbb\xbf|\xef\xbf[\xb9-\xbb]|\xf3\xa0[\x80\x81][\x80-\xbf]"
)
# The progress line of long work, which is ours, and begins at the left edge.
PROGRESS = re.compile(rb"\r[^\r\n\x1b]*\x1b\[K")


def titles():
    """The bytes of each row of the fixture."""
    unit = re.compile(r"(\\x[0-9a-f]{2}|\\u\{[0-9a-f]+\}|\\\\|.)(?:\{(\d+)\})?")
    found = []
    for row in TITLES.read_text("ascii").splitlines():
        if row.startswith("# "):
            continue
        title = b""
        for match in unit.finditer(row):
            word, count = match.groups()
            escaped = word.startswith("\\")
            if word.startswith("\\x"):
                piece = bytes([int(word[2:], 16)])
            elif word.startswith("\\u"):
                piece = chr(int(word[3:-1], 16)).encode("utf-8", "surrogatepass")
            else:
                piece = word[-1].encode()
            if escaped:
                title += piece * int(count or 1)
            else:
                title += piece + (f"{{{count}}}".encode() if count else b"")
        found.append(title)
    return found


def active(shown):
    """The first bytes of `shown` that a terminal would act on, with some around them; `None` when there are none."""
    shown = PROGRESS.sub(b"", shown)
    found = ACTIVE.search(shown)
    if not found:
        try:
            shown.decode()
            return None
        except UnicodeDecodeError as error:
            return f"no UTF-8: {shown[max(error.start - 30, 0):error.start + 30]!r}"
    return f"{shown[max(found.start() - 40, 0):found.end() + 40]!r}"


def on_terminal(device, *arguments, answer=None, seconds=60, columns=None):
    """Runs the binary with a terminal as all three streams. Returns the exit code and the bytes that were shown.

    Runs without colours, so that the program itself writes no sequences. `answer`, or the next one of a list, is typed when
    the output ends with a question; bytes such as b"\x03" are keys. Without `columns`, the terminal
    reports no width; with it, it is too high for a pager.
    """
    device.note(arguments)
    ours, theirs = pty.openpty()
    if columns:
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 500, columns, 0, 0))
    process = subprocess.Popen(
        [str(BINARY).encode(), *(one if isinstance(one, bytes) else os.fsencode(str(one)) for one in arguments)],
        cwd=device.folder, env={**device.environment, "TERM": "xterm-256color", "NO_COLOR": "1"},
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0))
    os.close(theirs)
    answers = [] if answer is None else [answer] if isinstance(answer, bytes) else list(answer)
    shown = b""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 0.1)[0]:
            continue
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        shown += piece
        if answers and shown.endswith((b"] ", b"? ")):
            os.write(ours, answers.pop(0))
    else:
        process.kill()
    os.close(ours)
    # The terminal's own: it goes back to the left edge at each line end.
    return process.wait(), shown.replace(b"\r\n", b"\n")
