#!/bin/sh
# Looks at the release that goreleaser has written into a folder: checksums, and the files of each archive; and runs the
# program of the archive for this machine, which serves a folder with its page.
set -eu
cd "$(dirname "$0")/.."

fail() {
  echo "the release in $release is not complete: $1" >&2
  exit 1
}

release="$(cd "$1" && pwd)"
work="$(mktemp -d)"
gateway=
trap '[ -z "$gateway" ] || kill "$gateway"; rm -rf "$work"' EXIT

(cd "$release" && sha256sum --quiet --check checksums.txt) || fail "a checksum is wrong"
archives=0
for archive in "$release"/partita_*.tar.gz "$release"/partita_*.zip; do
  [ -f "$archive" ] || continue
  archives=$((archives + 1))
  name="$(basename "${archive%.tar.gz}" .zip)"
  into="$work/$name"
  mkdir "$into"
  case "$archive" in
  *.zip) unzip -q "$archive" -d "$into" && program=partita.exe ;;
  *) tar -xzf "$archive" -C "$into" && program=partita ;;
  esac
  for file in "$program" LICENSE README.md CHANGELOG.md man/man1/partita.1 playground.cdx.json \
    completions/partita.bash completions/partita.zsh completions/partita.fish; do
    [ -s "$into/$file" ] || fail "$archive has no $file"
  done
  grep -q '"pkg:golang/github.com/alecthomas/kong@' "$release/$name.cdx.json" || fail "$name.cdx.json has no modules"
  grep -q '"pkg:npm/graphiql@' "$into/playground.cdx.json" || fail "$archive does not list the page's libraries"
  echo "$(basename "$archive"): complete"
done
[ "$archives" -gt 0 ] || fail "there is no archive"

program="$work"/$(ls "$work" | grep "_$(go env GOOS)_$(go env GOARCH)")/partita
"$program" --version | grep -Eq '^partita v[0-9]' || fail "the program prints no version: $("$program" --version)"
"$program" new "$work/tasks" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
engine="$(node -p 'require.resolve("@dynoxide/" + process.platform + "-" + process.arch + "/dynoxide")')"
ADDR=localhost:0 DYNOXIDE="$engine" "$program" serve "$work/tasks" 2>"$work/log" &
gateway=$!
for _ in $(seq 100); do
  url="$(sed -n 's/.* msg=serving .*playground=\(http[^ ]*\).*/\1/p' "$work/log")"
  [ -n "$url" ] && break
  sleep 0.1
done
[ -n "$url" ] || fail "the program does not serve: $(cat "$work/log")"
curl -fsS "$url/healthz" >/dev/null || fail "/healthz"
curl -fsS -H 'Accept: text/html' "$url/" | grep -q '<script' || fail "the page is not in the program"
echo "$("$program" --version): serves a folder, with its page"
