#!/bin/sh
# Installs the Debian packages that are missing, and only those.
#
#   packages.sh build     the packages for the build
#   packages.sh package   the same, and those for docs/package.sh
#   packages.sh installation   the same, and those for Tests/installation.sh
#   packages.sh demo      the packages for docs/try.sh
#   packages.sh host      the same, and those for docs/try.sh --host
#   packages.sh test      the packages for the build and the tests
#   packages.sh browsers  the same, and the browsers that open the web pages
#   packages.sh servers   the same, and the CalDAV servers that Debian has; none of them is started, no database is made
set -eu

missing=
need() { # need PACKAGE COMMAND...: the package is missing when the command fails
    package=$1
    shift
    "$@" > /dev/null 2>&1 || missing="$missing $package"
}

# The runtime library of ICU has the number of its version in the name of its package: libicu72 in Debian 12.
icu_package() {
    apt-cache search --names-only '^libicu[0-9]+$' 2> /dev/null | sed 's/ .*//' | sort -V | tail -1 | grep . || echo libicu72
}

php_has() { php -m | grep -qix "$1"; }

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
need zlib1g-dev pkg-config --exists zlib
need libmicrohttpd-dev pkg-config --exists libmicrohttpd
need libsystemd-dev test -e /usr/include/systemd/sd-bus.h
if [ "${1:-build}" = package ] || [ "${1:-build}" = installation ]; then
    need dpkg-dev command -v dpkg-shlibdeps
    need xz-utils command -v xz
    if [ "$1" = installation ]; then
        need lintian command -v lintian
        need mmdebstrap command -v mmdebstrap
        need mandoc command -v mandoc
        need desktop-file-utils command -v desktop-file-validate
        need systemd command -v systemd-analyze
    fi
elif [ "${1:-build}" != build ]; then
    need python3 command -v python3
    need python3-venv python3 -c 'import ensurepip, venv'
fi
case ${1:-build} in host | test | browsers | servers)
    # The tests and the demonstration start a server of their own (Tests/postgres.py).
    need postgresql-15 sh -c 'ls /usr/lib/postgresql/*/bin/initdb'
    need libsodium23 sh -c 'ls /usr/lib/*/libsodium.so.23'
    need tzdata test -e /usr/share/zoneinfo/Europe/Berlin
    ;;
esac
case ${1:-build} in test | browsers | servers)
    need curl command -v curl
    need gcc command -v cc
    need libical-dev pkg-config --exists libical
    need "$(icu_package)" sh -c 'ls /usr/lib/*/libicui18n.so.[0-9]*'
    need openssl command -v openssl
    need dbus-daemon command -v dbus-run-session
    need python3-dbusmock /usr/bin/python3 -c 'import dbusmock'
    need libsecret-tools command -v secret-tool
    need gnome-keyring command -v gnome-keyring-daemon
    need bash command -v bash
    need zsh command -v zsh
    need fish command -v fish
    need mandoc command -v mandoc
    # For a look at what is written for it; nothing of it is started.
    need systemd command -v systemd-analyze
    need desktop-file-utils command -v desktop-file-validate
    need xdg-utils command -v xdg-open
    need libglib2.0-bin command -v gio
    need groff-base command -v groff
    # Web servers that publish a feed with the configurations of docs/manual.md; the tests start them by themselves.
    need nginx-light test -x /usr/sbin/nginx
    need caddy command -v caddy
    need apache2-bin test -x /usr/sbin/apache2
    need ca-certificates test -s /etc/ssl/certs/ca-certificates.crt
    ;;
esac
case ${1:-build} in browsers | servers)
    # Chromium is controlled without a driver, and so is Firefox (Tests/EndToEndTests/browsers.py).
    need chromium command -v chromium
    need firefox-esr command -v firefox-esr
    need fonts-dejavu-core sh -c 'ls /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
    ;;
esac
if [ "${1:-build}" = servers ]; then
    need libapache2-mod-php sh -c 'ls /usr/lib/apache2/modules/libphp*.so'
    need php-cli command -v php
    for module in xml curl mbstring; do need "php-$module" php_has "$module"; done
    need php-pgsql php_has pdo_pgsql
    need php-sqlite3 php_has pdo_sqlite
    need postgresql sh -c 'ls /usr/lib/postgresql/*/bin/initdb'
    need davical test -e /usr/share/davical/htdocs/caldav.php
    need php-sabre-dav test -e /usr/share/php/Sabre/autoload.php
    need cyrus-imapd test -x /usr/lib/cyrus/bin/imapd
    need cyrus-caldav test -x /usr/lib/cyrus/bin/httpd
    need sasl2-bin test -x /usr/sbin/saslpasswd2
    need libsasl2-modules sh -c 'ls /usr/lib/*/sasl2/libplain.so*'
    need memcached command -v memcached
    need sogo test -x /usr/sbin/sogod
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
case ${1:-build} in host | test | browsers | servers)
    # Installing a server would start it. Debian asks this file first; 101 forbids it. Another's answer is left alone.
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' | $as_root tee "$policy" > /dev/null
        $as_root chmod 755 "$policy"
        trap '$as_root rm -f "$policy"' EXIT
        trap 'exit 130' INT TERM HUP
    fi
    clusters=/etc/postgresql-common/createcluster.conf
    if [ ! -e "$clusters" ]; then
        $as_root mkdir -p "${clusters%/*}"
        echo 'create_main_cluster = false' | $as_root tee "$clusters" > /dev/null
    fi
    ;;
esac
$as_root apt-get -qq update >&2
# shellcheck disable=SC2086 # the words are meant to be split
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 install -y \
    -o Dpkg::Options::=--force-confold --no-install-recommends $missing < /dev/null >&2
