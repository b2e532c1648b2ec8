#!/bin/sh
# Makes sure that the browser tests have a Chromium: $CHROMIUM, one on the PATH,
# or Debian's package.
set -eu

find_chromium() {
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1; then
      return 0
    fi
  done
  return 1
}

find_chromium && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing chromium for the browser tests"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
find_chromium || {
  echo "Chromium is missing: install it (Debian: apt-get install chromium) or set CHROMIUM to its path" >&2
  exit 1
}
