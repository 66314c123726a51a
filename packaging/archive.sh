#!/usr/bin/env bash
# Packs a release for one target: program, completions, man pages, licences; beside the archive its checksum.
#   packaging/archive.sh TARGET BINARY FOLDER
# The binary must run here, or SEQUENT_HOST name one that does: it writes completions and man pages.
set -euo pipefail

target=$1 binary=$2 folder=$3
host=${SEQUENT_HOST:-$binary}
root=$(cd "$(dirname "$0")/.." && pwd)
name=sequent-$target
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

mkdir -p "$stage/$name/completions" "$stage/$name/man"
case $target in *windows*) program=sequent.exe ;; *) program=sequent ;; esac
cp "$binary" "$stage/$name/$program"
cp "$root"/LICENSE-* "$root/README.md" "$root/CHANGELOG.md" "$stage/$name/"
for shell in bash elvish fish powershell zsh; do
    case $shell in
        bash) file=sequent.bash ;;
        elvish) file=sequent.elv ;;
        fish) file=sequent.fish ;;
        powershell) file=_sequent.ps1 ;;
        zsh) file=_sequent ;;
    esac
    "$host" completions "$shell" >"$stage/$name/completions/$file"
done
"$host" man --dir "$stage/$name/man"

sum() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi; }
cd "$folder"
tar -czf "$name.tar.gz" -C "$stage" "$name"
sum "$name.tar.gz" >"$name.tar.gz.sha256"
