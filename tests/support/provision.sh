#!/usr/bin/env bash
# Installs what the tests start for real: Java and Maven (Kafka), PostgreSQL, Chromium.
# On a Debian or Ubuntu machine where this user may install packages it does so; elsewhere it
# names what is missing, and the tests that need it say so too (with CI=true they fail).
set -euo pipefail

packages=()
[ -n "${KAFKA_BOOTSTRAP_SERVERS:-}" ] || command -v java >/dev/null || packages+=(openjdk-17-jre-headless)
[ -n "${KAFKA_BOOTSTRAP_SERVERS:-}" ] || command -v mvn >/dev/null || packages+=(maven)
[ -n "${TEST_POSTGRES_URL:-}" ] || command -v initdb >/dev/null ||
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || packages+=(postgresql)
command -v chromium >/dev/null || packages+=(chromium fonts-dejavu-core)

[ "${#packages[@]}" -gt 0 ] || exit 0
root=()
if [ "$(id -u)" -ne 0 ]; then
    root=(sudo -n)
fi
if ! command -v apt-get >/dev/null || ! "${root[@]}" true 2>/dev/null; then
    echo "Not installed, and not installable from here: ${packages[*]}" >&2
    [ "${CI:-}" = true ] && exit 1
    exit 0
fi
echo "Installing ${packages[*]}"
export DEBIAN_FRONTEND=noninteractive
"${root[@]}" apt-get update -qq
# Debian starts a server for a newly installed PostgreSQL; the tests bring their own.
"${root[@]}" apt-get install -qq --yes --no-install-recommends "${packages[@]}" >/dev/null
