#!/usr/bin/env python3
"""Builds the extension for VS Code with the server inside: mindport and all that it needs, unpacked beside each other,
so that any Python that is there starts it, without an installation and without a network.

    scripts/setup editors
    .venv/bin/python scripts/build_vsix.py [--wheel WHEEL] [--target TARGET,... --out FOLDER]

It writes client-vscode/out/mindport.vsix for this machine, or with `--target` one file for each that is named (`all`)
into a folder. What is compiled for one Python has its own name for each of them, so that one folder serves them all."""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from email.parser import HeaderParser
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from build_release import REPOSITORY, built

EXTENSION = REPOSITORY / "client-vscode"
BUNDLE = EXTENSION / "server"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
# VS Code's names of platforms: the tags of wheels that run there, and what markers of requirements are told.
TARGETS = {
    "linux-x64": (("manylinux_2_17_x86_64", "manylinux_2_28_x86_64"), "Linux"),
    "linux-arm64": (("manylinux_2_17_aarch64", "manylinux_2_28_aarch64"), "Linux"),
    "alpine-x64": (("musllinux_1_2_x86_64",), "Linux"),
    "alpine-arm64": (("musllinux_1_2_aarch64",), "Linux"),
    "darwin-x64": (("macosx_10_12_x86_64", "macosx_11_0_x86_64"), "Darwin"),
    "darwin-arm64": (("macosx_11_0_arm64",), "Darwin"),
    "win32-x64": (("win_amd64",), "Windows"),
    "win32-arm64": (("win_arm64",), "Windows"),
}
_SYSTEM_NAMES = {"Linux": ("linux", "posix"), "Darwin": ("darwin", "posix"), "Windows": ("win32", "nt")}


def main(arguments: Sequence[str]) -> int:
    """Build, and say what came out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wheel", type=Path, help="mindport's own wheel; built where it is not given")
    parser.add_argument("--target", help=f"all, or some of {', '.join(TARGETS)}, with commas")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "dist")
    options = parser.parse_args(arguments)
    targets = list(TARGETS) if options.target == "all" else (options.target or own_target()).split(",")
    subprocess.run(["npm", "run", "--silent", "check"], cwd=EXTENSION, check=True)
    with tempfile.TemporaryDirectory(prefix="mindport-vsix-") as name:
        wheel = options.wheel or next(path for path in built(Path(name)) if path.suffix == ".whl")
        for target in targets:
            file = EXTENSION / "out" / "mindport.vsix"
            if options.target:
                options.out.mkdir(parents=True, exist_ok=True)
                file = options.out / f"mindport-{target}.vsix"
            wheels = Path(name) / target
            unpack([wheel, *needed_wheels(wheel, target, wheels)], BUNDLE)
            package(target, file, is_published=bool(options.target))
            print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
    return 0


def own_target() -> str:
    """VS Code's name of this machine's platform."""
    system = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}[platform.system()]
    if system == "linux" and not platform.libc_ver()[0]:
        system = "alpine"
    return f"{system}-{'arm64' if platform.machine().lower() in ('arm64', 'aarch64') else 'x64'}"


def needed_wheels(wheel: Path, target: str, folder: Path) -> list[Path]:
    """What a wheel needs on a platform, with any Python: downloaded into the folder, one wheel of each package, or one
    for each Python where it is compiled. All Pythons have the same version, the newest that the oldest of them runs."""
    folder.mkdir(parents=True)
    found: dict[str, list[Path]] = {}
    asked = list(requirements(wheel, target))
    while asked:
        missing = {canonicalize_name(one.name): one for one in asked}
        for name in missing.keys() & found.keys():
            del missing[name]
        for name, requirement in missing.items():
            found[name] = list(download(requirement, target, folder))
        asked = [one for name in missing for one in requirements(found[name][0], target)]
        for one in asked:
            for path in found.get(canonicalize_name(one.name), ()):
                if not one.specifier.contains(parse_wheel_filename(path.name)[1]):
                    raise SystemExit(f"{path.name} was taken, but another package needs {one}")
    return [path for name in sorted(found) for path in found[name]]


def requirements(wheel: Path, target: str) -> Iterator[Requirement]:
    """What a wheel asks for on a platform, with at least one of the Pythons, without its extras."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        headers = HeaderParser().parsestr(archive.read(name).decode("utf-8"))
    system = TARGETS[target][1]
    sys_platform, os_name = _SYSTEM_NAMES[system]
    for line in headers.get_all("Requires-Dist", []):
        requirement = Requirement(line)
        environments = (
            {
                "python_version": python,
                "python_full_version": f"{python}.0",
                "platform_system": system,
                "sys_platform": sys_platform,
                "os_name": os_name,
                "implementation_name": "cpython",
                "platform_python_implementation": "CPython",
                "extra": "",
            }
            for python in PYTHONS
        )
        if requirement.marker is None or any(map(requirement.marker.evaluate, environments)):
            yield requirement


def download(requirement: Requirement, target: str, folder: Path) -> Iterator[Path]:
    """The wheels of a package for the oldest Python and, where that is compiled for it alone, for the others."""
    first = _download(f"{requirement.name}{requirement.specifier}", target, PYTHONS[0], folder)
    yield first
    name, version, _, tags = parse_wheel_filename(first.name)
    if any(tag.platform == "any" for tag in tags):
        return
    for python in PYTHONS[1:]:
        yield _download(f"{name}=={version}", target, python, folder)


def _download(what: str, target: str, python: str, folder: Path) -> Path:
    place = Path(tempfile.mkdtemp(dir=folder))
    command = [sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary=:all:", "--implementation", "cp", "--python-version", python, "-d", str(place)]
    command += [word for tag in TARGETS[target][0] for word in ("--platform", tag)]
    subprocess.run([*command, what], check=True)
    (wheel,) = place.iterdir()
    return wheel


def unpack(wheels: Iterable[Path], folder: Path) -> None:
    """Lay the content of wheels into a new folder. Those of one package for several Pythons share all but what is
    compiled, and the notes on the wheel itself."""
    shutil.rmtree(folder, ignore_errors=True)
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for item in archive.infolist():
                if item.is_dir() or is_left_out(item.filename):
                    continue
                path, content = folder / item.filename, archive.read(item)
                if not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
                elif path.read_bytes() != content and ".dist-info/" not in item.filename:
                    raise SystemExit(f"{wheel.name}: {item.filename} stands in another wheel, too")


def is_left_out(name: str) -> bool:
    """Whether nothing that is started here reads a file: the sources of the compiled mappings and translations, and
    scripts that an installer would put on PATH."""
    return (name.startswith("mindport/_mappings/") and name.endswith((".yaml", ".po"))) or ".data/" in name


def package(target: str, file: Path, *, is_published: bool) -> None:
    """Put the extension together for a platform, with the server that lies in it. What is to be published is searched
    for secrets, which takes minutes."""
    command = ["npm", "run", "--silent", "package", "--", "--target", target, "--out", str(file)]
    if not is_published:
        command += ["--allow-package-all-secrets", "--allow-package-env-file"]
    subprocess.run(command, cwd=EXTENSION, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
