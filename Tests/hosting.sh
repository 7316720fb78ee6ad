#!/bin/sh
# Executes the commands of docs/hosting.md in a bare Debian 12. Needs root, ten minutes, and Debian's registry.
#
#   sh Tests/hosting.sh FOLDER
#
# FOLDER has the package that `sh docs/package.sh FOLDER` makes. The blocks of the document are executed as they are,
# except for the names of servers. systemd does not run in the bare Debian: a script with the name systemctl starts the
# command of the unit, on a read-only file system. The last line reads "N passed, N failed".
set -u
if [ "${1:-}" = "" ]; then
    echo "Name the folder with the package: sh docs/package.sh FOLDER" >&2
    exit 2
fi
# Processes and mounts of the test end with it. No command of the test reads from the terminal.
if [ "$1" != --inside ]; then
    packages=$(cd "$1" && pwd) || exit 1
    sh "$(dirname "$0")/packages.sh" installation || exit 1
    exec unshare --pid --fork --kill-child --mount --mount-proc sh "$0" --inside "$packages" < /dev/null
fi
packages=$2
cd "$(dirname "$0")/.." || exit 1
document=$PWD/docs/hosting.md
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
work=$(mktemp -d) || exit 1
root=$work/root
clean() {
    # This ends all processes of the namespace except for this one.
    kill -KILL -1
    # The mounts are removed at once, although a process may still be ending.
    umount --lazy "$root/proc" "$root/dev/shm" "$root" 2> /dev/null
    rm -rf --one-file-system "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM HUP

passed=0
failed=0
check() { # check NAME COMMAND...: the test passes if the command succeeds
    name=$1
    shift
    if "$@" > "$work/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok: $name"
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        sed 's/^/    /' "$work/log" | tail -n 30
    fi
}
# Prints the block with this number in a section of the document, without its indentation.
block() { # block SECTION NUMBER
    awk -v section="## $1" -v number="$2" '
        /^## / || /^### / { here = ($0 == section || $0 == "#" section) }
        here && /^ *```/ { if (inside) { inside = 0 } else { inside = 1; count++; indent = index($0, "`") - 1 }; next }
        here && inside && count == number { print substr($0, indent + 1); found = 1 }
        END { exit !found }' "$document" || echo "The section '$1' has no block $2." >> "$work/missing"
}
within() { # within COMMANDS: as root in the bare Debian, with the alias of the document
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive sh -c "cd /srv
alias rd='sudo -H -u remindav remindav --config /etc/remindav/config'
set -ex
$1"
}
# The document writes `remindav` for the program with the settings of the host.
as_service() { sed 's/^remindav /rd /'; }

mmdebstrap --quiet --variant=minbase --include=sudo,ca-certificates --mode=root bookworm "$root" > "$work/log" 2>&1 || {
    cat "$work/log"
    echo "A bare Debian could not be created." >&2
    exit 1
}
# The root is a mount, so that systemctl can make it read-only.
mount --bind "$root" "$root" && mount -t proc proc "$root/proc" && mkdir -p "$root/dev/shm" &&
    mount -t tmpfs tmpfs "$root/dev/shm" || exit 1
echo "127.0.0.1 localhost $(uname -n)" >> "$root/etc/hosts"
# Without systemd, packages start no services.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
cat > "$root/usr/local/sbin/systemctl" << 'SYSTEMCTL'
#!/bin/sh
# Starts and stops the command of the unit.
unit=/etc/systemd/system/remindav-host.service
value() { sed -n "s/^$1=//p" "$unit"; }
start() {
    install -d -o "$(value User)" -g "$(value User)" "/run/$(value RuntimeDirectory)"
    unshare --mount sh -c "mount --bind '/run/$(value RuntimeDirectory)' '/run/$(value RuntimeDirectory)' &&
        mount -t tmpfs tmpfs /tmp && mount -t tmpfs tmpfs /home && mount -o remount,bind,ro / &&
        exec setpriv --reuid $(value User) --regid $(value User) --init-groups --no-new-privs \
            env -i PATH=/usr/bin:/bin HOME=/var/lib/remindav LC_ALL=C.UTF-8 $(value ExecStart)" \
        > /var/log/remindav-host.log 2>&1 < /dev/null &
    echo $! > /run/remindav-host.pid
}
stop() {
    pid=$(cat /run/remindav-host.pid) || exit 1
    kill "$pid" || exit 1
    seconds=0
    while kill -0 "$pid" 2> /dev/null; do
        seconds=$((seconds + 1))
        [ "$seconds" -lt "$(value TimeoutStopSec)" ] || exit 1
        sleep 1
    done
}
case $* in
"reload postgresql") pg_ctlcluster 15 main reload ;;
"enable --now remindav-host" | "start remindav-host") start ;;
"stop remindav-host") stop ;;
"restart remindav-host") stop; start ;;
*) echo "This script does not know the arguments $*" >&2; exit 1 ;;
esac
SYSTEMCTL
chmod 755 "$root/usr/local/sbin/systemctl"
cp "$packages"/remindav_*.deb "$root/srv/" || exit 1

installing='From the package to a running host'
check "apt installs the package, and the packages for the test" within 'apt-get -qq update
apt-get -qq install -y --no-install-recommends /srv/remindav_*.deb curl radicale nginx-light ssl-cert'
check "apt installs PostgreSQL and the libraries, and the user of the service is made" within \
    "$(block "$installing" 1 | sed 's/apt install/apt-get -qq install -y --no-install-recommends/')
pg_ctlcluster 15 main start"
check "the database gets its roles and tables" within "$(block "$installing" 2)"
block "$installing" 3 >> "$root/etc/postgresql/15/main/pg_ident.conf"
block "$installing" 4 > "$work/hba"
# The line belongs above the general one.
rules=$root/etc/postgresql/15/main/pg_hba.conf
awk -v line="$(cat "$work/hba")" '/^local *all *all *peer/ { print line } { print }' "$rules" > "$work/rules"
cat "$work/rules" > "$rules"
check "the rules of PostgreSQL have the lines of the document" sh -c "
    grep -q '^local  remindav  remindav_worker' '$rules' && grep -q '^remindav  remindav' '$root/etc/postgresql/15/main/pg_ident.conf'"
check "the settings and the key are made, and the check of the host passes" within "systemctl reload postgresql
sleep 1
$(block "$installing" 5)"
block "$installing" 6 > "$root/etc/systemd/system/remindav-host.service"
check "the unit is valid" sh -ec "
    mkdir '$work/unit'
    sed -e 's|/usr/bin/remindav|$root/usr/bin/remindav|' -e '/^User=/d' '$root/etc/systemd/system/remindav-host.service' > '$work/unit/remindav-host.service'
    systemd-analyze verify --recursive-errors=no '$work/unit/remindav-host.service' > '$work/unit/log' 2>&1 || { cat '$work/unit/log'; exit 1; }
    cat '$work/unit/log'
    test ! -s '$work/unit/log'"

# A CalDAV server on the same machine, which must be allowed.
check "a CalDAV server is started and allowed" within 'mkdir -p /srv/radicale
printf "ada:secret\n" > /srv/users
echo secret > /srv/password
printf "[server]\nhosts = 127.0.0.1:5232\n[auth]\ntype = htpasswd\nhtpasswd_filename = /srv/users\nhtpasswd_encryption = plain\n[storage]\nfilesystem_folder = /srv/radicale\n" > /srv/config
radicale --config /srv/config > /var/log/radicale.log 2>&1 &
rd config set host-allow 127.0.0.0/8
rd config set host-ports 5232
for n in 1 2 3 4 5 6 7 8 9 10; do curl -sf -u ada:secret http://127.0.0.1:5232/.web/ > /dev/null && break; sleep 1; done
curl -fsS -u ada:secret -X MKCALENDAR http://127.0.0.1:5232/ada/tasks/'
ready='for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do [ "$(curl -s http://127.0.0.1:9464/readyz)" = ready ] && break; sleep 1; done
[ "$(curl -s http://127.0.0.1:9464/readyz)" = ready ] || { cat /var/log/remindav-host.log; exit 1; }'
# Prints commands that add a reminder, and wait until the service has sent it to the CalDAV server.
synced() { # synced TITLE
    echo "rd --tenant ada add '$1' --due '2035-03-01 12:00'
n=0
until grep -rqs '$1' /srv/radicale; do n=\$((n + 1)); [ \$n -lt 90 ]; sleep 1; done"
}
check "the service starts on a read-only file system, and is ready" within "systemctl enable --now remindav-host
$ready"
check "the first tenant gets an account, and the workers sync it" within "
$(block "$installing" 7 | sed 's|account add https://cloud.example.org --user ada|account add http://127.0.0.1:5232 --user ada --password-stdin < /srv/password|')
$(synced 'Service the boiler')"

alarms='Alarms by mail and push'
check "a test message arrives at the mail server" within "
python3 -u -W ignore -m smtpd -n -c DebuggingServer 127.0.0.1:2525 > /var/log/mail.log 2>&1 &
n=0
until curl -s telnet://127.0.0.1:2525 -m 1 < /dev/null | grep -q '^220'; do n=\$((n + 1)); [ \$n -lt 20 ]; sleep 1; done
$(block "$alarms" 1 | as_service | sed -e 's/^sudo //' -e '/relay-password/d' -e '/push-stdin/d' -e 's|smtps://.*|smtp://127.0.0.1:2525|')
grep -q 'To:.*ada@example.org' /var/log/mail.log"

pages='Web pages'
check "the pages are set up" within "
$(block "$pages" 1 | as_service | sed -e 's/^sudo //' -e 's/ nginx$//')
$ready"
check "nginx accepts the configuration" within "
mkdir -p /etc/letsencrypt/live/todo.example.org
cp /etc/ssl/certs/ssl-cert-snakeoil.pem /etc/letsencrypt/live/todo.example.org/fullchain.pem
cp /etc/ssl/private/ssl-cert-snakeoil.key /etc/letsencrypt/live/todo.example.org/privkey.pem
cat > /etc/nginx/sites-enabled/default << 'NGINX'
$(block "$pages" 2)
NGINX
nginx -t
nginx"
# This server replaces oauth2-proxy: it names the person in a file as the sender of each request.
cat > "$root/srv/sign_in.py" << 'PYTHON'
import http.server
class SignIn(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        person = open("/srv/person").read().strip()
        self.send_response(202 if person else 401)
        self.send_header("X-Auth-Request-Email", person)
        self.send_header("Content-Length", "0")
        self.end_headers()
http.server.ThreadingHTTPServer(("127.0.0.1", 4180), SignIn).serve_forever()
PYTHON
visit='curl -sk --resolve todo.example.org:443:127.0.0.1 https://todo.example.org/'
check "a person sees their pages, and others see nothing" within "
echo ada@example.org > /srv/person
python3 /srv/sign_in.py > /var/log/sign_in.log 2>&1 &
sleep 2
$visit | grep -q 'Service the boiler'
$visit -H 'Remote-User: eve@example.org' | grep -q 'Service the boiler'
echo eve@example.org > /srv/person
[ \"\$($visit -H 'Remote-User: ada@example.org' -o /dev/null -w '%{http_code}')\" = 403 ]
: > /srv/person
[ \"\$($visit -o /dev/null -w '%{http_code}')\" = 401 ]
# Requests that do not come from the proxy.
[ \"\$(curl -s -o /dev/null -w '%{http_code}' --unix-socket /run/remindav/proxy.sock http://todo.example.org/)\" = 403 ]
[ \"\$(curl -s -o /dev/null -w '%{http_code}' -H 'Host: todo.example.org' -H 'Remote-User: ada@example.org' http://127.0.0.1:8737/)\" = 403 ]"

check "each metric of the document exists" sh -c "
    chroot '$root' curl -s http://127.0.0.1:9464/metrics > '$work/metrics'
    test -s '$work/metrics' || exit 1
    grep -o 'remindav_[a-z_]*' '$document' | grep -v -e '_worker' -e '_web' -e '_owner' -e '^remindav_\$' | sort -u | while read -r name; do
        grep -q \"\$name\" '$work/metrics' || { echo \"\$name is missing\"; exit 1; }
    done"
check "a tenant is exported, imported as another one, and suspended" within "
$(block "Move a store to a host, or from it" 1 | as_service | sed '/tenant add\|tenant import/d') | grep 'Service the boiler'
rd host tenant add second
rd host tenant import second /var/lib/remindav/ada
rd --tenant second list | grep 'Service the boiler'
rd host tenant suspend second
if rd --tenant second add Refused 2> /srv/refusal; then exit 1; fi
cat /srv/refusal
grep suspended /srv/refusal
rd host tenant list"
check "the key is rotated while the service is stopped, and the workers sync with the new one" within "
$(block "Accounts and the key of the host" 2 | as_service | sed 's/^sudo //')
$ready
$(synced 'After the rotation')"
check "the host is upgraded" within "
$(block Upgrade 1 | sed 's/apt install/apt-get -qq install -y --reinstall/')
$ready"
check "a backup is made" within "cd /var/lib/postgresql
$(block "Backup and restore" 1)"
check "it is restored after the loss of the database, and the worker syncs again" within "
rd --tenant ada add 'After the backup'
systemctl stop remindav-host
cd /var/lib/postgresql
$(block "Backup and restore" 2)
systemctl enable --now remindav-host
$ready
rd host check
rd --tenant ada list | grep 'Service the boiler'
rd --tenant ada list > /srv/list
if grep 'After the backup' /srv/list; then exit 1; fi
$(synced 'After the restore')"
check "it is restored to a machine without the roles" within "systemctl stop remindav-host
cd /var/lib/postgresql
sudo -u postgres dropdb remindav
for role in remindav_web remindav_worker remindav_owner; do sudo -u postgres dropuser \$role; done
$(block "Backup and restore" 2)
systemctl enable --now remindav-host
$ready
rd host check
rd --tenant ada list | grep 'Service the boiler'"
check "a tenant is removed" within "printf 'yes\n' | rd host tenant remove second --yes
rd host tenant list > /srv/list
if grep second /srv/list; then exit 1; fi"
check "each block of the document exists" sh -c "if [ -e '$work/missing' ]; then cat '$work/missing'; exit 1; fi"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
