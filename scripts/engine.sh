#!/bin/sh
# Makes sure that node_modules has the local engine for this machine. The lock file has the package for Linux on x64 only:
# npm wrote it where the others could not be seen. Without an engine the program works, too, with another table.
set -eu
cd "$(dirname "$0")/.."

platform="$(node -p 'process.platform + "-" + process.arch')"
version="$(node -p 'require("./package.json").optionalDependencies["@dynoxide/linux-x64"]')"
package="@dynoxide/$platform"
[ -d "node_modules/$package" ] && exit 0

case "$platform" in
linux-x64 | linux-arm64 | darwin-x64 | darwin-arm64 | win32-x64) ;;
*)
  echo "There is no local engine for $platform: set DYNAMODB_ENDPOINT to another one such as DynamoDB Local, or AWS" \
    "credentials for a table on AWS" >&2
  exit 0
  ;;
esac
echo "installing the local engine, $package"
npm install --no-save --no-package-lock --no-audit --no-fund --loglevel=error "$package@$version" || {
  echo "The local engine cannot be installed: check what npm says above, then run \"make install\" again; or set DYNOXIDE" \
    "to the path of dynoxide $version, DYNAMODB_ENDPOINT to another engine, or AWS credentials" >&2
}
