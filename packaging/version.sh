#!/usr/bin/env bash
# Prints the version of the workspace.
set -euo pipefail
sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' "$(dirname "$0")/../Cargo.toml"
