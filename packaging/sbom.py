"""Writes what the program is made of as a CycloneDX 1.5 bill of materials, from `cargo metadata`.

    cargo metadata --format-version 1 --locked --filter-platform TARGET | python3 packaging/sbom.py > sequent.cdx.json

Dependencies of tests are left out; those of builds are in it. Nothing depends on the clock: the same sources give the same bytes.
"""

import json
import sys

PROGRAM = "sequent-cli"


def reachable(nodes, start):
    """Everything that the program needs to be built, and itself."""
    seen, todo = set(), [start]
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += needed(nodes[one])
    return seen


def needed(node):
    is_needed = lambda dep: any(kind["kind"] != "dev" for kind in dep["dep_kinds"])
    return sorted({dep["pkg"] for dep in node["deps"] if is_needed(dep)})


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package):
    described = {
        "type": "application" if package["name"] == PROGRAM else "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "purl": reference(package),
    }
    if package.get("license"):
        described["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    return described


def bill(metadata):
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    program = next(package for package in packages.values() if package["name"] == PROGRAM)
    ids = sorted(reachable(nodes, program["id"]), key=lambda id: reference(packages[id]))
    refers = lambda id: reference(packages[id])
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(program)},
        "components": [component(packages[id]) for id in ids if id != program["id"]],
        "dependencies": [{"ref": refers(id), "dependsOn": sorted(map(refers, needed(nodes[id])))} for id in ids],
    }


if __name__ == "__main__":
    json.dump(bill(json.load(sys.stdin)), sys.stdout, indent=1)
    print()
