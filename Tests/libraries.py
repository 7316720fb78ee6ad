"""Holds what the built program is linked with against the libraries that are documented (docs/architecture.md, E40 of
docs/requirements.md): a system library more than these is a dependency that nobody has decided on.

  python3 Tests/libraries.py PROGRAM
"""

import re
import subprocess
import sys
from pathlib import Path

# What is linked, and what is loaded when it is needed (docs/decisions/0028); and the C library with its parts.
WANTED = {"libxml2", "libsqlite3"}
LOADED = {"libcurl.so.4", "libmicrohttpd.so.12"}
SYSTEM = {"libc", "libm", "libresolv", "libgcc_s", "libstdc++", "libpthread", "libdl", "librt", "ld-linux-x86-64",
          "ld-linux-aarch64"}


def linked(program):
    """The names of the shared libraries that the program asks for itself, without their versions."""
    text = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    return {re.sub(r"(-gnutls|-nss)?\.so.*$", "", name) for name in re.findall(r"\(NEEDED\).*\[(.+)\]", text)}


def main():
    found = linked(sys.argv[1])
    wrong = [f"{name} is linked, which docs/architecture.md does not name." for name in
             sorted(found - WANTED - SYSTEM)]
    wrong += [f"{name} is not linked: Tests/libraries.py or docs/architecture.md is out of date." for name in
              sorted(WANTED - found)]
    text = Path(sys.argv[1]).read_bytes()
    wrong += [f"{name} is not loaded: Tests/libraries.py or docs/architecture.md is out of date." for name in
              sorted(LOADED) if name.encode() not in text]
    print(f"{len(found)} shared libraries: {', '.join(sorted(found))}")
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
