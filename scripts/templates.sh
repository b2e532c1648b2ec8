#!/bin/sh
# Checks the CloudFormation templates with cfn-lint, which is a program in Python: that of the services, that of the shop's
# table, and those of the tables of all examples.
set -eu
cd "$(dirname "$0")/.."

command -v cfn-lint >/dev/null 2>&1 || {
  echo "cfn-lint is missing: install it (pip install cfn-lint==1.51.0)" >&2
  exit 1
}
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
for schema in examples/*/schema.graphqls; do
  example="$(basename "$(dirname "$schema")")"
  bin/partita design "examples/$example" --format=cloudformation >"$work/$example.yaml"
done
cfn-lint deploy/*.yaml "$work"/*.yaml
echo "$(ls deploy/*.yaml "$work"/*.yaml | wc -l) templates: cfn-lint has no findings"
