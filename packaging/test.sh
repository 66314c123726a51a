#!/usr/bin/env bash
# Packs a program that was built, makes every package of it, installs each without a network, and runs it. Says what cannot be tried.
#   packaging/test.sh BINARY
set -euo pipefail
cd "$(dirname "$0")/.."
binary=$1
version=$(packaging/version.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
expect() { [ "$2" = "$3" ] || { echo "$1: $2 instead of $3" >&2; exit 1; }; }
count=0
passed() { count=$((count + 1)); echo "ok: $1"; }

# The machine decides which packages fit; the target only names the archive.
packaging/archive.sh x86_64-unknown-linux-musl "$binary" "$work/dist"
cd "$work"
tar -xzf dist/*.tar.gz
for file in sequent completions/sequent.bash completions/_sequent completions/sequent.fish man/sequent.1 man/sequent-check.1 LICENSE-MIT; do
    [ -s "sequent-x86_64-unknown-linux-musl/$file" ] || { echo "the archive has no $file" >&2; exit 1; }
done
(cd dist && sha256sum --check --quiet ./*.sha256)
bash -n sequent-*/completions/sequent.bash
passed "archive, checksum, completions, man pages"
cd "$OLDPWD"

if command -v cargo >/dev/null; then
    # Crates of other systems may not be on this machine.
    host=$(rustc -vV | sed -n "s/^host: //p")
    cargo metadata --format-version 1 --locked --offline --filter-platform "$host" | python3 packaging/sbom.py >"$work/sbom.json"
    python3 - "$work/sbom.json" <<'PYTHON'
import json, sys
bill = json.load(open(sys.argv[1]))
refs = [part["bom-ref"] for part in bill["components"]]
assert bill["metadata"]["component"]["name"] == "sequent-cli"
assert len(refs) == len(set(refs)) > 50, len(refs)
assert any(ref.startswith("pkg:cargo/cadical-sys@") for ref in refs), refs
assert not any("expect-test" in ref for ref in refs), "tests are no part of the program"
assert all("licenses" in part for part in bill["components"])
PYTHON
    passed "bill of materials"
fi

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "node or npm is missing: wheels and npm packages are not tried"
    echo "$count passed, 0 failed"
    exit
fi
packaging/wrap.sh "$work/dist"
ls "$work/dist"

if [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check --no-index "$work"/dist/*.whl
    expect "the wheel" "$("$work/venv/bin/sequent" --version)" "$("$binary" --version)"
    [ -s "$work/venv/share/man/man1/sequent.1" ]
    "$work/venv/bin/pip" uninstall --quiet --yes sequent-diagrams
    passed "wheel"

    mkdir "$work/project"
    (cd "$work/project" && npm init --yes >/dev/null 2>&1 && npm install --silent --offline --no-audit --no-fund ../dist/sequent-diagrams-linux-x64-*.tgz \
        && npm install --silent --offline --no-audit --no-fund "../dist/sequent-diagrams-$version.tgz")
    expect "the npm package" "$("$work/project/node_modules/.bin/sequent" --version)" "$("$binary" --version)"
    code=0
    "$work/project/node_modules/.bin/sequent" check "$work/none" >/dev/null 2>&1 || code=$?
    expect "its exit code" "$code" 2
    rm -r "$work/project/node_modules/sequent-diagrams-linux-x64"
    code=0
    "$work/project/node_modules/.bin/sequent" --version >/dev/null 2>"$work/told" || code=$?
    expect "without a program" "$code" 2
    grep -q "sequent-diagrams-linux-x64 is not installed" "$work/told"
    passed "npm packages"
fi
echo "$count passed, 0 failed"
