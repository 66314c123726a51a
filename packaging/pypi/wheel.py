"""Makes a wheel from the archive of a release: the program, completions and man pages, nothing to compile or fetch.

    python3 packaging/pypi/wheel.py ARCHIVE VERSION FOLDER

The target is part of the archive's name (`sequent-TARGET.tar.gz`). The same archive gives the same bytes.
"""

import base64
import hashlib
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

NAME = "sequent-diagrams"
SUMMARY = "Checks UML sequence diagrams and state machines: PlantUML, Mermaid, Markdown"

# What pip calls the targets. What is built on glibc 2.35 (Ubuntu 22.04) runs on that and newer ones; static programs run anywhere.
PLATFORMS = {
    "x86_64-unknown-linux-gnu": "manylinux_2_35_x86_64",
    "aarch64-unknown-linux-gnu": "manylinux_2_35_aarch64",
    "x86_64-unknown-linux-musl": "manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "aarch64-unknown-linux-musl": "manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "x86_64-apple-darwin": "macosx_11_0_x86_64",
    "aarch64-apple-darwin": "macosx_11_0_arm64",
    "x86_64-pc-windows-msvc": "win_amd64",
}

# Where completions go below the folder that Python is installed in.
COMPLETIONS = {
    "sequent.bash": "share/bash-completion/completions/sequent",
    "sequent.fish": "share/fish/vendor_completions.d/sequent.fish",
    "_sequent": "share/zsh/site-functions/_sequent",
}


def place(path, base):
    """Where a file of the archive goes in the wheel, or None."""
    if path.name in ("sequent", "sequent.exe"):
        return f"{base}.data/scripts/{path.name}"
    if path.parent.name == "man":
        return f"{base}.data/data/share/man/man1/{path.name}"
    if path.parent.name == "completions" and path.name in COMPLETIONS:
        return f"{base}.data/data/{COMPLETIONS[path.name]}"
    if path.name.startswith("LICENSE-"):
        return f"{base}.dist-info/licenses/{path.name}"
    return None


def contents(archive, base):
    """The files of the wheel that are in the archive: name, bytes, whether it is a program."""
    with tarfile.open(archive) as files:
        for member in sorted(files.getmembers(), key=lambda member: member.name):
            name = place(PurePosixPath(member.name), base)
            if member.isfile() and name:
                yield name, files.extractfile(member).read(), "/scripts/" in name


def metadata(version, readme):
    return (
        f"Metadata-Version: 2.4\nName: {NAME}\nVersion: {version}\nSummary: {SUMMARY}\n"
        "License-Expression: MIT OR Apache-2.0\nLicense-File: LICENSE-APACHE\nLicense-File: LICENSE-MIT\n"
        "Keywords: uml,sequence-diagram,state-machine,plantuml,mermaid\nRequires-Python: >=3.7\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    ).encode()


def wheel(archive, version, folder):
    target = archive.name.removeprefix("sequent-").removesuffix(".tar.gz")
    tags = PLATFORMS[target]
    base = f"{NAME.replace('-', '_')}-{version}"
    readme = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    about = "Wheel-Version: 1.0\nGenerator: sequent\nRoot-Is-Purelib: false\n"
    about += "".join(f"Tag: py3-none-{tag}\n" for tag in tags.split("."))
    files = [*contents(archive, base)]
    if not any(is_program for _, _, is_program in files):
        raise SystemExit(f"{archive}: there is no program in it")
    files += [(f"{base}.dist-info/METADATA", metadata(version, readme), False), (f"{base}.dist-info/WHEEL", about.encode(), False)]
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data, _ in files)
    files.append((f"{base}.dist-info/RECORD", f"{record}{base}.dist-info/RECORD,,\n".encode(), False))
    path = folder / f"{base}-py3-none-{tags}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data, is_program in files:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            out.writestr(entry, data)
    return path


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    archive, version, folder = sys.argv[1:]
    print(wheel(Path(archive), version, Path(folder)))
