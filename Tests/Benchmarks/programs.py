"""The programs that are measured: built or installed once, then run one at a time."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "EndToEndTests"))

from harness import BINARY, Device  # noqa: E402
from servers import system_python  # noqa: E402

# Seconds of processor time and of wall time, the counted result, and the peak of memory in bytes.
Figures = namedtuple("Figures", "cpu wall found memory")

PYTHON_PACKAGES = ["icalendar==7.3.0", "python-dateutil==2.9.0.post0"]


class Programs:
    """Programs in `folder`, by name; a name stands for the words in front of a task."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.commands = {"remindav": [BINARY], "engine": [ROOT / ".build" / "release" / "EngineBenchmark"]}

    def prepare(self):
        """Builds and installs missing programs. Prints the names of unavailable ones."""
        for product in ["EngineBenchmark", "remindav"]:
            say(f"building {product}")
            subprocess.run(["swift", "build", "-c", "release", "--product", product], cwd=ROOT, check=True,
                           stdout=subprocess.DEVNULL)
        self.compile("launch")
        self.compile("floor")
        if subprocess.run(["pkg-config", "--exists", "libical"]).returncode != 0:
            install("libical-dev")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libical"], check=True, capture_output=True, text=True)
        for name in ["libical_text", "libical_rules"]:
            self.compile(name, *flags.stdout.split())
        self.add_python()
        self.add_node()

    def compile(self, name, *flags):
        program = self.folder / name
        subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2", "-o", program,
                        HERE / "peers" / f"{name}.c", *flags], check=True)
        self.commands[name] = [program]

    def add_python(self):
        environment = self.folder / "venv"
        python = environment / "bin" / "python"
        mark = environment / "installed"
        if not mark.exists() or mark.read_text() != " ".join(PYTHON_PACKAGES):
            shutil.rmtree(environment, ignore_errors=True)
            subprocess.run([system_python(), "-m", "venv", environment], check=True)
            done = subprocess.run([python, "-m", "pip", "install", "--quiet", *PYTHON_PACKAGES])
            if done.returncode != 0:
                return say("icalendar and dateutil: not available, pip cannot install them")
            mark.write_text(" ".join(PYTHON_PACKAGES))
        self.commands["python"] = [python, HERE / "peers" / "python_peer.py"]

    def add_node(self):
        """ical.js, where npm may have it."""
        folder = self.folder / "node"
        folder.mkdir(exist_ok=True)
        script = folder / "node_peer.mjs"
        shutil.copy(HERE / "peers" / "node_peer.mjs", script)
        if not (folder / "node_modules" / "ical.js").exists():
            if not shutil.which("npm"):
                return say("ical.js: not available, there is no npm")
            done = subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--fetch-retries=0", "ical.js@2.2.1"],
                                  cwd=folder, capture_output=True)
            if done.returncode != 0:
                return say("ical.js: not available, npm cannot install it")
        self.commands["node"] = ["node", script]

    def run(self, name, *words):
        """One run of a program that measures itself."""
        command = [str(word) for word in [*self.commands[name], *words]]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
        numbers = dict(word.split("=") for word in done.stdout.split())
        return Figures(float(numbers.pop("cpu")), float(numbers.pop("wall")),
                       {name: int(number) for name, number in numbers.items() if name != "passes"}, None)

    def run_whole(self, name, *words):
        """One run of a program from its start to its end, with its output in a file."""
        with tempfile.TemporaryDirectory(prefix="remindav-bench-") as folder:
            out = Path(folder) / "out"
            command = [str(word) for word in [*self.commands["launch"], out, *self.commands[name], *words]]
            done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, text=True,
                                  env=Device(folder, "laptop").environment)
            if done.returncode != 0:
                raise SystemExit(f"{name} {' '.join(map(str, words))} failed:\n{done.stderr[-2000:]}")
            numbers = dict(word.split("=") for word in done.stdout.split())
            return Figures(float(numbers["cpu"]), float(numbers["wall"]), {"written": out.stat().st_size},
                           int(numbers["memory"]))


def install(package):
    """Installs a Debian package, as root or with sudo."""
    as_root = [] if os.geteuid() == 0 else ["sudo"]
    subprocess.run([*as_root, "apt-get", "-qq", "install", "-y", "--no-install-recommends", package], check=True,
                   env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, stdout=subprocess.DEVNULL)


def say(text):
    print(text, file=sys.stderr, flush=True)
