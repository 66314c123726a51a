"""Makes the crates of a copy of the workspace ready for publishing: each must hold all that it needs.

    python3 packaging/stage.py COPY

- What a crate includes from the folders of the workspace (`examples`, `docs`) is copied into it, and the paths are changed.
- Dependencies between the crates get the version beside the path; those of tests go, as tests need the whole workspace.
- The name `sequent` is taken: the library is the package `sequent-diagrams`, and still `sequent` in code.
- README and licences are put into each.
"""

import re
import shutil
import sys
from pathlib import Path

RENAMED = {"sequent": "sequent-diagrams"}
ABOUT = {
    "kernel": "The model of diagrams, its meaning and its lints, for the checker Sequent",
    "notation": "Readers and printers of PlantUML, Mermaid, Markdown and UML models, for the checker Sequent",
    "engine": "Searches and SAT-based model checking, for the checker Sequent",
    "cluster": "Searches on several processes and machines, for the checker Sequent",
    "report": "Drawings and reports of diagrams and runs, for the checker Sequent",
}
INCLUDED = re.compile(r'"((?:\.\./)+)((?:examples|docs)/[^"]*)"')


def embed(root, crate):
    """Copies what sources include from outside of the crate, and changes their paths."""
    for source in (crate / "src").rglob("*.rs"):
        text = source.read_text(encoding="utf-8")
        if "include_str!" not in text and "include_bytes!" not in text:
            continue
        # From this source, the crate is so many folders up; the workspace two more.
        up = "../" * (len(source.relative_to(crate).parts) - 1)

        def moved(found):
            if found[1] != up + "../../":
                return found[0]
            path = Path(found[2])
            if (root / path).is_dir():
                shutil.copytree(root / path, crate / path, dirs_exist_ok=True)
            else:
                (crate / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(root / path, crate / path)
            return f'"{up}{found[2]}"'

        changed = INCLUDED.sub(moved, text)
        if changed != text:
            source.write_text(changed, encoding="utf-8")


def manifest(crate, version):
    path = crate / "Cargo.toml"
    text = path.read_text(encoding="utf-8")
    sections = re.split(r"(?m)^(?=\[)", text)
    kept = [part for part in sections if not part.startswith(("[dev-dependencies]", "[[bench]]"))]
    package = next(part for part in kept if part.startswith("[package]"))
    new = package.replace("publish.workspace = true\n", "")
    name = re.search(r'(?m)^name = "(.*)"$', package)[1]
    if "description" not in package:
        new = new.rstrip() + f'\ndescription = "{ABOUT[crate.name]}"\n'
    new = new.rstrip() + '\nreadme = "README.md"\nkeywords = ["uml", "sequence-diagram", "state-machine", "plantuml", "mermaid"]\n'
    new += 'categories = ["development-tools"]\nautobenches = false\nautotests = false\n'
    new += 'include = ["src/**", "/build.rs", "/release.ld", "examples/**", "docs/**", "README.md", "LICENSE-*"]\n\n'
    text = "".join(kept).replace(package, new)
    if name in RENAMED:
        text = text.replace(f'name = "{name}"', f'name = "{RENAMED[name]}"', 1) + f'\n[lib]\nname = "{name}"\n'
    path.write_text(text, encoding="utf-8")


def workspace(root, version):
    path = root / "Cargo.toml"
    text = path.read_text(encoding="utf-8")
    text = re.sub(r'(?m)^members = .*"crates/testing"\]$', lambda line: line[0].replace(', "crates/testing"', ""), text)
    text = re.sub(r"(?m)^sequent-testing = .*\n", "", text)
    for name, new in RENAMED.items():
        text = text.replace(f"[profile.release.package.{name}]", f"[profile.release.package.{new}]")

    def versioned(found):
        package = f', package = "{RENAMED[found[1]]}"' if found[1] in RENAMED else ""
        return f'{found[1]} = {{ path = "{found[2]}", version = "{version}"{package} }}'

    path.write_text(re.sub(r'(?m)^(sequent[\w-]*) = \{ path = "(.*)" \}$', versioned, text), encoding="utf-8")


def main(root):
    version = re.search(r'(?m)^version = "(.*)"$', (root / "Cargo.toml").read_text(encoding="utf-8"))[1]
    workspace(root, version)
    for crate in sorted((root / "crates").iterdir()):
        if crate.name == "testing":
            shutil.rmtree(crate)
            continue
        embed(root, crate)
        manifest(crate, version)
        for file in [root / "README.md", *root.glob("LICENSE-*")]:
            shutil.copy(file, crate)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
