"""Takes the pictures of the README: pictures.py [FOLDER], default docs/images.

The list, the form in both modes and the labels, in light and dark, and a terminal, by Chromium. People compare the
pictures; no test does.
"""

import html
import re
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path
from urllib.parse import quote

import browsers
from harness import ROOT, Device
from screens import web

SCREENS = {"list": "/", "new": "/add", "edit": "/r/2", "labels": "/labels"}


STYLES = {"1": {"font-weight": "bold"}, "2": {"opacity": ".65"}, "31": {"color": "#f66"}, "32": {"color": "#6c6"},
          "33": {"color": "#dc6"}, "34": {"color": "#8af"}, "36": {"color": "#6cc"}, "90": {"color": "#999"}}


def cube(number):
    """A colour of xterm's palette from 16 to 231, which is a cube with six levels."""
    levels = [0, 95, 135, 175, 215, 255]
    return "rgb({},{},{})".format(*(levels[(number - 16) // step % 6] for step in (36, 6, 1)))


def styled(text):
    """The text of a terminal as HTML; the codes of ECMA-48 (SGR) become styles."""
    parts, styles = [], {}
    for code, words in re.findall(r"(?:\x1b\[([0-9;]*)m)?([^\x1b]*)", text):
        if code == "0":
            styles = {}
        elif palette := re.fullmatch("38;5;([0-9]+)", code):
            styles["color"] = cube(int(palette[1]))
        elif code in STYLES:
            styles |= STYLES[code]
        if words:
            parts.append(f'<span style="{";".join(map(":".join, styles.items()))}">{html.escape(words)}</span>')
    return "".join(parts)


def terminal(device):
    """A page that shows commands and their output as a terminal does."""
    text = ""
    for words in (["add", "Call the plumber", "tomorrow", "9am", "+home", "p1"], ["list"], ["done", "4"]):
        shown = " ".join(f"'{word}'" if " " in word else word for word in words)
        output = device.run(*words, "--color", "always").out
        text += f"\x1b[0m\x1b[1m$ remindav {shown}\x1b[0m\n{output}\n"
    return ("<!doctype html><style>body{margin:0;background:#1b1d22;color:#e6e6e6}pre{margin:24px;font:16px/1.5 monospace}</style>"
            f"<pre>{styled(text)}</pre>")


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        laptop = Device(temporary, "laptop")
        saturday = date.today() + timedelta(days=(5 - date.today().weekday()) % 7 or 7)
        for name, color in (("home", "#4CAF50"), ("work", "#2196F3"), ("garden", "#FF9800")):
            laptop.run("labels", "add", name, "--color", color)
        for words in (["Pay rent", "--due", f"{date.today() - timedelta(days=1)} 09:00", "--label", "home", "--priority", "high"],
                      ["Water plants", "--due", f"{saturday} 10:00", "--repeat", "weekly", "--label", "garden",
                       "--notes", "Not the cactus."],
                      ["Call Ben about the report", "--due", "tomorrow 09:00", "--label", "work"],
                      ["Buy milk", "--due", "today"], ["Renew the passport", "--due", f"{saturday + timedelta(days=40)}"],
                      ["Return the books", "--due", f"{date.today() - timedelta(days=2)} 17:00"]):
            laptop.run("add", *words)
        laptop.run("done", "6")
        process, port, ticket = web(laptop)
        try:
            tab = browsers.browser("Chromium").tab()
            tab.resize(1000, 720)
            tab.open(ticket)
            if tab.evaluate("!!find('Maybe Later')"):
                tab.click("Maybe Later")
                tab.wait("!find('Maybe Later')")
            tab.resize(980, 500)
            tab.open("data:text/html;charset=utf-8," + quote(terminal(laptop)))
            (folder / "terminal.png").write_bytes(tab.picture())
            tab.resize(1000, 720)
            for name, address in SCREENS.items():
                for theme in ("light", "dark"):
                    tab.look(theme)
                    tab.open(f"http://127.0.0.1:{port}{address}")
                    tab.wait("document.getAnimations().every(one => one.playState === 'finished')")
                    (folder / f"{name}-{theme}.png").write_bytes(tab.picture())
        finally:
            browsers.close_all()
            process.kill()
            process.wait()
            process.stdout.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images")
