#!/bin/sh
# Makes sure that the tests of the shared store have a server: $VALKEY_SERVER, a
# valkey-server or redis-server on the PATH, or Debian's package.
set -eu

find_server() {
  for name in "${VALKEY_SERVER:-}" valkey-server redis-server; do
    if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1; then
      return 0
    fi
  done
  return 1
}

find_server && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  apt-get update -qq
  # Debian has Valkey since version 13, and Redis before. The tests run servers of their own.
  for package in valkey-server redis-server; do
    if [ -n "$(apt-cache search --names-only "^$package\$")" ]; then
      echo "installing $package for the tests of the shared store"
      RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null
      break
    fi
  done
fi
find_server || {
  echo "A Valkey or Redis server is missing: install it (Debian: apt-get install valkey-server, or redis-server" \
    "before Debian 13), or set VALKEY_SERVER to its path" >&2
  exit 1
}
