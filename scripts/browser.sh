#!/bin/sh
# Makes sure that the browser tests have a Chromium: $CHROMIUM, one on the PATH,
# or Debian's package. The headless shell is the same engine without the windows
# of a browser, and opens a page for a fifth of the CPU.
set -eu

has() {
  for name; do
    if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1; then
      return 0
    fi
  done
  return 1
}

install() {
  echo "installing $1 for the browser tests"
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null 2>&1
}

has "${CHROMIUM:-}" chromium-headless-shell && exit 0
if [ "$(id -u)" = 0 ] && has apt-get; then
  has chromium chromium-browser google-chrome || apt-get update -qq
  install chromium-headless-shell || has chromium chromium-browser google-chrome || install chromium || true
fi
has chromium-headless-shell chromium chromium-browser google-chrome || {
  echo "Chromium is missing: install it (Debian: apt-get install chromium-headless-shell) or set CHROMIUM to its path" >&2
  exit 1
}
