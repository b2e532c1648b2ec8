#!/bin/sh
# Writes into a folder what the archives of a release have beside the program: the scripts for completion, the manual
# page, and a list of the libraries that the embedded page was built from.
set -eu
cd "$(dirname "$0")/.."

out="$1"
rm -rf "$out"
mkdir -p "$out/completions"
go build -buildvcs=true -o bin/partita .
for shell in bash zsh fish; do
  bin/partita completion "$shell" >"$out/completions/partita.$shell"
done
bin/partita man >"$out/partita.1"
npm sbom --package-lock-only --omit=optional --sbom-format=cyclonedx --sbom-type=application >"$out/playground.cdx.json"
