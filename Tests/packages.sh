#!/bin/sh
# Installs the Debian packages that are missing, and only those.
#
#   packages.sh build     what the build needs
#   packages.sh test      what the build and the tests need
set -eu

missing=
need() { # need PACKAGE COMMAND...: the package is missing when the command fails
    package=$1
    shift
    "$@" > /dev/null 2>&1 || missing="$missing $package"
}

# What the Swift toolchain itself leans on, for a machine where only its archive was unpacked.
need binutils command -v ld
need libc6-dev test -e /usr/include/stdio.h
need libstdc++-12-dev sh -c 'ls -d /usr/include/c++/* /usr/lib/gcc/*/*/include'
need git command -v git
toolchain() { swift --version; }
if command -v swift > /dev/null 2>&1 && ! toolchain > /dev/null 2>&1; then
    missing="$missing libncurses6 libedit2 libxml2 libcurl4 libpython3.11 libsqlite3-0 libz3-4 zlib1g"
fi
need pkg-config command -v pkg-config
need libcurl4-openssl-dev pkg-config --exists libcurl
need libxml2-dev pkg-config --exists libxml-2.0
need libsqlite3-dev pkg-config --exists sqlite3
need libmicrohttpd-dev pkg-config --exists libmicrohttpd
if [ "${1:-build}" = test ]; then
    need python3 command -v python3
    need python3-venv python3 -c 'import ensurepip, venv'
    need curl command -v curl
    need gcc command -v cc
    need libical-dev pkg-config --exists libical
    need tzdata test -e /usr/share/zoneinfo/Europe/Berlin
    need ca-certificates test -s /etc/ssl/certs/ca-certificates.crt
fi
[ -n "$missing" ] || exit 0

if ! command -v apt-get > /dev/null 2>&1; then
    echo "These packages are missing, under the names that Debian gives them:$missing." >&2
    echo "This is no Debian system, so please install them with its own tools and run this again." >&2
    exit 1
fi
as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo > /dev/null 2>&1; then
        echo "Please run this as root and then try again: apt-get install$missing" >&2
        exit 1
    fi
    as_root="sudo"
fi
echo "Installing:$missing" >&2
$as_root apt-get -qq update >&2
# shellcheck disable=SC2086 # the words are meant to be split
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 install -y \
    --no-install-recommends $missing >&2
