"""Holds what the built program is linked with against the libraries that are documented (docs/architecture.md, E40 of
docs/requirements.md): a system library more than these is a dependency that nobody has decided on.

  python3 Tests/libraries.py PROGRAM
"""

import re
import subprocess
import sys

# The four libraries that are linked, and the C library with its parts. libsystemd is none of them: it is loaded when a
# bus is spoken to (docs/decisions/0027).
WANTED = {"libcurl", "libxml2", "libsqlite3", "libmicrohttpd"}
SYSTEM = {"libc", "libm", "libresolv", "libgcc_s", "libstdc++", "libpthread", "libdl", "librt", "ld-linux-x86-64",
          "ld-linux-aarch64"}
# What the toolchain brings; not Foundation, which no part of the program may take in.
TOOLCHAIN = {"libswiftCore", "libswiftGlibc", "libswift_Concurrency", "libswift_StringProcessing", "libswift_RegexParser",
             "libswiftSynchronization", "libswift_Builtin_float", "libswiftSwiftOnoneSupport", "libdispatch",
             "libBlocksRuntime", "libswiftDispatch"}


def linked(program):
    """The names of the shared libraries that the program asks for itself, without their versions."""
    text = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    return {re.sub(r"(-gnutls|-nss)?\.so.*$", "", name) for name in re.findall(r"\(NEEDED\).*\[(.+)\]", text)}


def main():
    found = linked(sys.argv[1])
    wrong = [f"{name} is linked, which docs/architecture.md does not name." for name in
             sorted(found - WANTED - SYSTEM - TOOLCHAIN)]
    wrong += [f"{name} is not linked: Tests/libraries.py or docs/architecture.md is out of date." for name in
              sorted(WANTED - found)]
    print(f"{len(found)} shared libraries: {', '.join(sorted(found))}")
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
