"""The names that a plugin of MindSpore registers its kernels under, read from the code that does so when it is loaded.
Nothing of it is run, so that no device and no library of its maker is needed.

A registration makes a text of the name and hands it to the registry's own function. Which function that is, names tell
that are known to be registered: all that is handed to the same one is registered, too."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from second_order.elf import SharedLibrary

_MAKES_TEXT = ("_ZNSsC1EPKcRKSaIcE", "_ZNSsC2EPKcRKSaIcE")  # std::string(char const *)
_LOADED = re.compile(r"lea +0x[0-9a-f]+\(%rip\),%rsi +# (?P<address>[0-9a-f]+)")
_OBJECT = re.compile(r"mov +-?0x[0-9a-f]+\(%rip\),%\w+ +# (?P<address>[0-9a-f]+)")
_CALL = re.compile(r"call +(?P<address>[0-9a-f]+) <(?P<symbol>[^>]*)>")
_PRIMITIVE = re.compile(r"_ZN9mindspore4prim\d+kPrim(?P<name>\w+)E")
_INTERESTING = r"lea .*,%rsi +# |mov .*\(%rip\),%.*# |call "


class RegistryNotFound(Exception):
    """No function of the library gets the names that are known to be registered."""


class CompiledRegistrations:
    """What one library hands to which function, in one pass over its code."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._texts: dict[str, set[str]] = defaultdict(set)  # address of a function -> the texts that it gets
        self._symbols: dict[str, str] = {}
        self._primitives: dict[str, set[str]] = defaultdict(
            set
        )  # function -> primitives that are looked up behind it
        self._read(SharedLibrary(path))

    def like(self, known: Sequence[str]) -> set[str]:
        """All names that are registered by the function which registers the `known` ones; of several the one with
        the most names. Functions of other libraries register nothing here."""
        fitting = [
            names
            for address, names in self._texts.items()
            if names.issuperset(known) and "@plt" not in self._symbols[address]
        ]
        if not fitting:
            raise RegistryNotFound(f"{self._path.name}: nothing registers {', '.join(known)}")
        return set(max(fitting, key=len))

    def before(self, function: str) -> set[str]:
        """The texts that are made right before a call of `function` (a part of its symbol)."""
        return set().union(*(self._texts[one] for one, symbol in self._symbols.items() if function in symbol))

    def looked_up_behind(self, function: str) -> set[str]:
        """The primitives whose names are read right after a call of `function` (a part of its symbol)."""
        found = [names for symbol, names in self._primitives.items() if function in symbol]
        return set().union(*found)

    def _read(self, library: SharedLibrary) -> None:
        loaded = made = ""
        last = ""
        for line in _lines_of_code(self._path):
            if match := _LOADED.search(line):
                loaded = library.text_at(int(match["address"], 16)) or ""
            elif match := _CALL.search(line):
                symbol = match["symbol"].partition("@")[0]
                if symbol in _MAKES_TEXT:
                    made, loaded = loaded, ""
                elif made:
                    self._texts[match["address"]].add(made)
                    self._symbols[match["address"]] = match["symbol"]
                    made = ""
                last = symbol
            elif match := _OBJECT.search(line):
                held = library.relocation(int(match["address"], 16))
                if isinstance(held, str) and last and (found := _PRIMITIVE.fullmatch(held)):
                    self._primitives[last].add(found["name"])


def _lines_of_code(path: Path) -> Iterable[str]:
    """The lines of a disassembly that load an address or call a function."""
    command = ["objdump", "-d", "--no-show-raw-insn", "-j", ".text", str(path)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE) as code,
        subprocess.Popen(
            ["grep", "-E", _INTERESTING], stdin=code.stdout, stdout=subprocess.PIPE, text=True
        ) as lines,
    ):
        assert lines.stdout is not None
        yield from lines.stdout
