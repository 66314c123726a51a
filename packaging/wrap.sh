#!/usr/bin/env bash
# Makes wheels and npm packages of all archives in a folder.
#   packaging/wrap.sh FOLDER
set -euo pipefail
here=$(dirname "$0")
folder=$1
version=$("$here/version.sh")
for archive in "$folder"/sequent-*.tar.gz; do
    python3 "$here/pypi/wheel.py" "$archive" "$version" "$folder"
done
node "$here/npm/build.mjs" "$folder" "$version"
for package in "$folder"/npm/*/; do
    (cd "$folder" && npm pack --silent "./npm/$(basename "$package")")
done
rm -r "$folder/npm"
