#!/bin/sh
# Builds the program and vets all code, tests included, for each machine that it is for. Prints one line for each.
set -u
cd "$(dirname "$0")/.."

failed=0
for platform in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do
  export CGO_ENABLED=0 GOOS="${platform%/*}" GOARCH="${platform#*/}"
  if output="$(go build -o /dev/null . 2>&1 && go vet ./... 2>&1)"; then
    echo "$platform: built and vetted"
  else
    echo "$platform: failed"
    echo "$output" >&2
    failed=1
  fi
done
exit "$failed"
