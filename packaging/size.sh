#!/usr/bin/env bash
# How large a program is, and its largest sections, in bytes: the figures of docs/decisions/020-the-release-build.md.
#   packaging/size.sh target/release/sequent
set -euo pipefail
binary=${1:?the program}
wc -c "$binary" | awk '{ printf "%-20s %12d\n", "file", $1 }'
size -A "$binary" | awk '$2 ~ /^[0-9]+$/ && $1 ~ /^\./ && $2 > 100000 { printf "%-20s %12d\n", $1, $2 }' | sort -k2 -n -r
