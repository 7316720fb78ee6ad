"""Compares the libraries of the built program with the documented ones (docs/architecture.md, E40 of
docs/requirements.md): each further system library would be a dependency without a decision.

  python3 Tests/libraries.py PROGRAM
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The linked libraries, the libraries that are loaded on first use (docs/decisions/0028), and the parts of the C library.
WANTED = {"libxml2", "libsqlite3", "libz"}
LOADED = {"libcurl.so.4", "libmicrohttpd.so.12", "libsystemd.so.0", "libicui18n.so", "libpq.so.5",
          "libsodium.so.23"}
# The libraries that only a host needs (docs/decisions/0080 and 0081).
OF_HOST = {"libpq", "libsodium"}
SYSTEM = {"libc", "libm", "libresolv", "libgcc_s", "libstdc++", "libpthread", "libdl", "librt", "ld-linux-x86-64",
          "ld-linux-aarch64"}


def linked(program):
    """The names of the shared libraries that the program asks for itself, without their versions."""
    text = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    return {re.sub(r"(-gnutls|-nss)?\.so.*$", "", name) for name in re.findall(r"\(NEEDED\).*\[(.+)\]", text)}


def hardening(program):
    """The problems of the dynamic section of the program, in sentences.

    With RUNPATH $ORIGIN, which SwiftPM adds, a library beside the program is loaded before the system's: a download
    folder is enough to run foreign code.
    """
    text = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    wrong = [f"{kind} is set ({path}): link with swift build --disable-local-rpath." for kind, path in
             re.findall(r"\((RUNPATH|RPATH)\).*\[(.*)\]", text)]
    if not re.search(r"\(FLAGS_1\).*\bNOW\b", text):
        wrong.append("Addresses are looked up late: link with -z now (Package.swift).")
    return wrong


def loaded(program):
    """The names of the libraries that commands of a single user load, as the dynamic linker reports them."""
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        place = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder, "LD_DEBUG": "libs"}
        for words in (["add", "One"], ["list"], ["account", "list"]):
            run = subprocess.run([program, *words], capture_output=True, text=True, check=True, env=place)
            found |= set(re.findall(r"find library=(lib[\w-]+)", run.stderr))
    return found


def main():
    found = linked(sys.argv[1])
    wrong = [f"{name} is linked, which docs/architecture.md does not name." for name in
             sorted(found - WANTED - SYSTEM)]
    wrong += [f"{name} is not linked: Tests/libraries.py or docs/architecture.md is out of date." for name in
              sorted(WANTED - found)]
    text = Path(sys.argv[1]).read_bytes()
    wrong += [f"{name} is not loaded: Tests/libraries.py or docs/architecture.md is out of date." for name in
              sorted(LOADED) if name.encode() not in text]
    used = loaded(sys.argv[1])
    wrong += [f"A command of a single user loads {name}." for name in sorted(OF_HOST & used)]
    if "libsqlite3" not in used:
        wrong.append("The dynamic linker does not report the loaded libraries.")
    wrong += hardening(sys.argv[1])
    print(f"{len(found)} shared libraries: {', '.join(sorted(found))}")
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
