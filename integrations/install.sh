#!/usr/bin/env bash
# Installs a release of sequent and prints the folder it is in. A sequent on the PATH is used as it is.
#   SEQUENT_RELEASES  the address of the releases
#   SEQUENT_VERSION   which one; the newest if empty
#   SEQUENT_HOME      where to unpack it
set -euo pipefail

fail() { echo "sequent: $*" >&2; exit 1; }

if [ -z "${SEQUENT_VERSION:-}" ] && found=$(command -v sequent); then
    dirname "$found"
    exit
fi

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-musl ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    MINGW*-x86_64 | MSYS*-x86_64) target=x86_64-pc-windows-msvc ;;
    *) fail "there is no release for $(uname -s) on $(uname -m): build it with cargo" ;;
esac

if [ -n "${SEQUENT_VERSION:-}" ]; then
    from=$SEQUENT_RELEASES/download/v${SEQUENT_VERSION#v}
else
    from=$SEQUENT_RELEASES/latest/download
fi
archive=sequent-$target.tar.gz
mkdir -p "$SEQUENT_HOME"
cd "$SEQUENT_HOME"
for file in "$archive" "$archive.sha256"; do
    curl --fail --silent --show-error --location --retry 3 --output "$file" "$from/$file" || fail "$from/$file cannot be fetched"
done

sum() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1; }
[ "$(sum "$archive")" = "$(cut -d ' ' -f 1 <"$archive.sha256")" ] || fail "$archive is not what its checksum says"

tar -xzf "$archive"
echo "$SEQUENT_HOME/sequent-$target"
