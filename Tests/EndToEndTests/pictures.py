"""Takes the pictures of the README: pictures.py [FOLDER], default docs/images.

The list, the form in both modes and the labels, in light and dark, by Chromium. People compare the pictures; no test does.
"""

import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

import browsers
from harness import ROOT, Device
from screens import web

SCREENS = {"list": "/", "new": "/add", "edit": "/r/2", "labels": "/labels"}


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
