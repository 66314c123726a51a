#!/usr/bin/env bash
# Publishes the crates, or tries everything but that.
#   packaging/crates.sh --list      what would be in each package; needs no network
#   packaging/crates.sh --package   makes the packages without compiling them
#   packaging/crates.sh --dry-run   makes the packages and compiles each on its own
#   packaging/crates.sh --publish   publishes them
# All of it happens in a copy of what git tracks.
set -euo pipefail
cd "$(dirname "$0")/.."
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
git ls-files -z | tar --null --files-from=- --create | tar --extract --directory "$stage"
python3 packaging/stage.py "$stage"
target=$PWD/target/crates
cd "$stage"
export CARGO_TARGET_DIR=$target
# The lock file follows the new name; versions stay as they are.
cargo metadata --format-version 1 --offline --filter-platform "$(rustc -vV | sed -n "s/^host: //p")" >/dev/null

case ${1:-} in
    --list)
        for manifest in crates/*/Cargo.toml; do
            echo "== $(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)"
            cargo package --list --allow-dirty --offline --manifest-path "$manifest"
        done
        ;;
    --package) cargo package --workspace --no-verify --allow-dirty --locked ;;
    --dry-run) cargo publish --workspace --dry-run --allow-dirty --locked ;;
    --publish) cargo publish --workspace --allow-dirty --locked ;;
    *)
        sed -n '2,7s/^# //p' "$OLDPWD/packaging/crates.sh" >&2
        exit 2
        ;;
esac
