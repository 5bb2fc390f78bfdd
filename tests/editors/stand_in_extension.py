"""Extensions that stand in for those of others: what the extension is tested beside, in a few lines."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

_PACKAGE = """\
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/>
    <DisplayName>{name}</DisplayName>
    <Description>Stands in for the extension of this name</Description>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def write_extension(
    file: Path, identifier: str, manifest: Mapping[str, object], files: Mapping[str, str]
) -> None:
    """Write the VSIX of an extension (`publisher.name`) with what else its manifest says, and its files."""
    publisher, name = identifier.split(".")
    facts = {"publisher": publisher, "name": name, "version": "1.0.0"}
    with zipfile.ZipFile(file, "w") as vsix:
        vsix.writestr("extension.vsixmanifest", _PACKAGE.format(**facts))
        vsix.writestr(
            "extension/package.json", json.dumps({**facts, "engines": {"vscode": "^1.90.0"}, **manifest})
        )
        for path, content in files.items():
            vsix.writestr(f"extension/{path}", content)
