"""The virtual environment with the Python servers and the other programs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = ["radicale", "xandikos", "vdirsyncer", "todoman", "caldav", "icalendar", "python-dateutil>=2.9"]
HOME = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "remindav-tests"
VENV = HOME / "venv"
# What tests in browsers need. They are in a folder of their own, because most runs need none of them. axe-playwright-python is
# installed only for the file axe.min.js of axe-core; so no package brings its dependencies.
BROWSER_PACKAGES = ["axe-playwright-python", "html5lib", "six", "webencodings", "websocket-client"]
BROWSER_TOOLS = HOME / "browser-tools"


def system_python():
    """A python3 that can create virtual environments: Debian's own first, so that a version manager has no effect."""
    for candidate in ["/usr/bin/python3", shutil.which("python3"), sys.executable]:
        if candidate and os.path.exists(candidate):
            probe = subprocess.run([candidate, "-c", "import ensurepip, venv"], capture_output=True)
            if probe.returncode == 0:
                return candidate
    raise SystemExit("No python3 with the module venv was found. Install the Debian package python3-venv.")


def install(packages=PACKAGES):
    """Creates the environment, and installs the packages that it lacks. Returns its python."""
    python = VENV / "bin" / "python"
    mark = VENV / "installed"
    present = set(mark.read_text().split()) if python.exists() and mark.exists() else set()
    if not set(packages) <= present:
        if not present:
            HOME.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(VENV, ignore_errors=True)
            subprocess.run([system_python(), "-m", "venv", str(VENV)], check=True, stdout=sys.stderr)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True, stdout=sys.stderr)
        mark.write_text(" ".join(sorted(present | set(packages))))
    return python


def install_browser_tools():
    """Installs BROWSER_PACKAGES into BROWSER_TOOLS once, and again after changes of the list. Returns the folder."""
    mark = BROWSER_TOOLS / "installed"
    wanted = " ".join(BROWSER_PACKAGES)
    if not (mark.exists() and mark.read_text() == wanted):
        shutil.rmtree(BROWSER_TOOLS, ignore_errors=True)
        subprocess.run([str(install()), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(BROWSER_TOOLS),
                        *BROWSER_PACKAGES], check=True, stdout=sys.stderr)
        mark.write_text(wanted)
    return BROWSER_TOOLS


def tool(name):
    """The path of a program in the environment."""
    return str(VENV / "bin" / name)


def version_of_distribution(name):
    answer = subprocess.run(
        [str(VENV / "bin" / "python"), "-c", f"import importlib.metadata as m; print(m.version({name!r}))"],
        capture_output=True, text=True)
    return answer.stdout.strip() or "none"
