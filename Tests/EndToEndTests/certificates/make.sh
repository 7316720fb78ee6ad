#!/bin/sh
# Made the certificates of this folder, each with its key in the same file, for a hundred years:
#
#   authority.pem    a private authority
#   server.pem       by it, for 127.0.0.1 and localhost
#   expired.pem      by it, for 127.0.0.1, valid on one day in 2020
#   early.pem        by it, for 127.0.0.1, valid from 2120 on
#   elsewhere.pem    by it, for elsewhere.example
#   client.pem       by it, for a person; client-locked.pem is the same key, under the password "canary-lock"
#   self-signed.pem  by itself, for 127.0.0.1; renewed.pem is another certificate for the same key
#   other.pem        by itself, for 127.0.0.1, with another key
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
from=20200101000000Z
until=21200101000000Z

key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

self_signed() { # self_signed KEY OUT NAME SAN [EXTENSION]
    openssl req -x509 -new -key "$1" -days 36500 -subj "/CN=$3" -addext "subjectAltName=$4" ${5:+-addext "$5"} \
        -out "$work/cert"
    cat "$work/cert" "$1" > "$2"
}

by_authority() { # by_authority OUT NAME SAN FROM UNTIL
    key "$work/key"
    openssl req -new -key "$work/key" -subj "/CN=$2" -out "$work/request"
    : > "$work/index"
    printf 'subjectAltName=%s\n' "$3" > "$work/extensions"
    printf '%s\n' '[ca]' 'default_ca=here' '[here]' "database=$work/index" "new_certs_dir=$work" 'default_md=sha256' \
        'policy=any' 'rand_serial=yes' '[any]' 'commonName=supplied' > "$work/config"
    openssl ca -batch -notext -config "$work/config" -cert authority.pem -keyfile authority.pem -in "$work/request" \
        -startdate "$4" -enddate "$5" -extfile "$work/extensions" -out "$work/cert" 2> /dev/null
    cat "$work/cert" "$work/key" > "$1"
}

key "$work/authority"
openssl req -x509 -new -key "$work/authority" -days 36500 -subj "/CN=Test authority" -out "$work/cert"
cat "$work/cert" "$work/authority" > authority.pem
here=IP:127.0.0.1,DNS:localhost
by_authority server.pem 127.0.0.1 "$here" $from $until
by_authority expired.pem 127.0.0.1 "$here" $from 20200102000000Z
by_authority early.pem 127.0.0.1 "$here" $until 21210101000000Z
by_authority elsewhere.pem elsewhere.example DNS:elsewhere.example $from $until
by_authority client.pem ada DNS:ada.example $from $until
openssl x509 -in client.pem > "$work/cert"
openssl pkey -in client.pem -aes256 -passout pass:canary-lock -out "$work/locked"
cat "$work/cert" "$work/locked" > client-locked.pem
openssl pkey -in self-signed.pem -out "$work/self"
self_signed "$work/self" renewed.pem 127.0.0.1 IP:127.0.0.1
key "$work/other"
self_signed "$work/other" other.pem 127.0.0.1 IP:127.0.0.1
