#!/bin/sh
# Prints the ten packages whose tests took longest, from the output of `go test` in a file.
set -eu

echo "The slowest packages:"
awk -F '\t' '$1 ~ /^(ok|FAIL) *$/ && $3 ~ /^[0-9.]+s$/ { printf "%8.1f s  %s\n", $3, $2 }' "$1" | sort -rn | head -n 10
