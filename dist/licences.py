"""Prints the libraries that are part of the programs for the given targets, each with its licence and its text."""

import json
import pathlib
import subprocess
import sys


def linked(target):
    """Names, versions and expressions of the licences of all libraries that a program for a target contains."""
    command = ["cargo", "tree", "--locked", "--edges", "normal", "--prefix", "none", "--target", target]
    lines = subprocess.run([*command, "--format", "{p}"], check=True, capture_output=True, text=True).stdout.split("\n")
    # `name v1.2.3`, perhaps followed by `(proc-macro)`, a path or `(*)`.
    return {tuple(line.split()[:2]) for line in lines if line and "(/" not in line and "(proc-macro)" not in line}


def main(targets):
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    packages = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["packages"]
    wanted = set().union(*map(linked, targets))
    found = [package for package in packages if (package["name"], "v" + package["version"]) in wanted]
    for package in sorted(found, key=lambda package: (package["name"], package["version"])):
        print(f"{package['name']} {package['version']}: {package['license']}")
        folder = pathlib.Path(package["manifest_path"]).parent
        for path in sorted(folder.glob("LICENSE*")) + sorted(folder.glob("COPYING*")):
            if path.is_file() and "APACHE" not in path.name.upper():
                print("\n" + path.read_text(encoding="utf-8", errors="replace").strip())
        print("\n" + "-" * 80 + "\n")
    print("The Apache License 2.0, to which many of these can be used, is in LICENSE-APACHE.")


main(sys.argv[1:])
