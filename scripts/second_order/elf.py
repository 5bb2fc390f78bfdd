"""As much of a 64-bit ELF shared library as reading compiled bprops needs: symbols, relocations, read-only text,
the extent of each function."""

from __future__ import annotations

import bisect
import re
import struct
import subprocess
from pathlib import Path
from typing import NamedTuple

_TYPE_FUNCTION = 2
_UNDEFINED = 0


class Instruction(NamedTuple):
    """One line of a disassembly; `comment` is the address that a rip-relative operand means, `symbol` what
    objdump calls a branch target."""

    address: int
    mnemonic: str
    operands: str
    comment: int | None
    symbol: str


class Function(NamedTuple):
    """Where a function lies: from `start` up to and without `end`."""

    start: int
    end: int


class SharedLibrary:
    """One shared library on the disk. Nothing of it is run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = path.read_bytes()
        self.sections = self._read_sections()
        names = self._symbols()
        self.functions_by_name: dict[str, int] = {
            n: v for n, v, kind in names if kind == _TYPE_FUNCTION and v
        }
        self.objects_by_name: dict[str, int] = {n: v for n, v, kind in names if kind != _TYPE_FUNCTION and v}
        self._relocations = self._read_relocations([name for name, _, _ in names])
        self._functions = self._read_function_table()
        self._starts = [function.start for function in self._functions]
        self._code: dict[int, list[Instruction]] = {}

    def relocation(self, address: int) -> str | int | None:
        """What the loader writes to `address`: the name of a symbol, an address, or None for nothing."""
        return self._relocations.get(address)

    def function_at(self, address: int) -> Function | None:
        """The function that starts at `address`."""
        index = bisect.bisect_right(self._starts, address) - 1
        found = self._functions[index] if index >= 0 else None
        return found if found is not None and found.start == address else None

    def text_at(self, address: int) -> str | None:
        """The zero-terminated text in the read-only data at `address`; None if there is no identifier."""
        start, offset, size = self.sections[".rodata"]
        if not start <= address < start + size:
            return None
        begin = address - start + offset
        match = _IDENTIFIER.match(self.data, begin, offset + size)
        return match[1].decode() if match else None

    def code(self, function: Function) -> list[Instruction]:
        """The instructions of a function, by objdump."""
        if function.start not in self._code:
            self.disassemble(function.start, function.end)
        return self._code.get(function.start, [])

    def disassemble(self, start: int, end: int) -> None:
        """Read all functions between two addresses at once, which is much faster than one by one."""
        command = ["objdump", "-d", "--no-show-raw-insn", f"--start-address={start}", f"--stop-address={end}"]
        output = subprocess.run(
            [*command, str(self.path)], capture_output=True, text=True, check=True, timeout=300
        ).stdout
        current: list[Instruction] = []
        limit = 0
        for line in output.splitlines():
            match = _LINE.match(line)
            if match is None:
                continue
            address = int(match["address"], 16)
            if address >= limit:
                function = self.function_at(address)
                current, limit = [], function.end if function is not None else 0
                if function is not None:
                    self._code[address] = current
            comment = match["comment"]
            current.append(
                Instruction(
                    address,
                    match["mnemonic"],
                    match["operands"].strip(),
                    int(comment, 16) if comment else None,
                    _symbol(match["symbol"]),
                )
            )

    def _read_sections(self) -> dict[str, tuple[int, int, int]]:
        """Address, place in the file and size of each section."""
        table, entry_size, count, names_index = (
            struct.unpack_from("<Q", self.data, 40)[0],
            *struct.unpack_from("<HHH", self.data, 58),
        )
        rows = [struct.unpack_from("<IIQQQQIIQQ", self.data, table + i * entry_size) for i in range(count)]
        names = rows[names_index][4]
        return {_text(self.data, names + row[0]): (row[3], row[4], row[5]) for row in rows}

    def _symbols(self) -> list[tuple[str, int, int]]:
        """Name, address and type of the dynamic symbols, in order."""
        _, offset, size = self.sections[".dynsym"]
        strings = self.sections[".dynstr"][1]
        rows = []
        for place in range(offset, offset + size, 24):
            name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", self.data, place)
            rows.append((_text(self.data, strings + name), value if section != _UNDEFINED else 0, info & 15))
        return rows

    def _read_relocations(self, names: list[str]) -> dict[int, str | int]:
        found: dict[int, str | int] = {}
        for section in (".rela.dyn", ".rela.plt"):
            _, offset, size = self.sections[section]
            for address, info, addend in struct.iter_unpack("<QQq", self.data[offset : offset + size]):
                symbol = info >> 32
                found[address] = names[symbol] if symbol else addend
        return found

    def _read_function_table(self) -> list[Function]:
        """The table for unwinding has each function's start and length, those without a name too."""
        address, offset, _ = self.sections[".eh_frame_hdr"]
        frames_address, frames_offset, _ = self.sections[".eh_frame"]
        count = struct.unpack_from("<I", self.data, offset + 8)[0]
        found = []
        for i in range(count):
            start, frame = struct.unpack_from("<ii", self.data, offset + 12 + 8 * i)
            place = address + frame - frames_address + frames_offset
            found.append(
                Function(
                    address + start, address + start + struct.unpack_from("<I", self.data, place + 12)[0]
                )
            )
        return sorted(found)


_IDENTIFIER = re.compile(rb"([A-Za-z_][A-Za-z0-9_.]{0,80})\x00")
_LINE = re.compile(
    r"\s*(?P<address>[0-9a-f]+):\t(?P<mnemonic>(?:(?:lock|rep|repz|repnz|notrack|bnd|cs|data16) )*\S+)"
    r"(?P<operands>[^#<]*)(?:# (?P<comment>[0-9a-f]+))?(?: ?<(?P<symbol>[^>]*)>)?"
)


def tails_of_text(path: Path) -> set[str]:
    """Every tail of every identifier that a file holds as text: the linker stores `Grad` inside `ReluGrad`."""
    found: set[str] = set()
    for match in _IDENTIFIER.finditer(path.read_bytes()):
        text = match[1].decode()
        found.update(text[i:] for i in range(len(text)) if text[i].isalpha() or text[i] == "_")
    return found


def _symbol(shown: str | None) -> str:
    """The plain name of what objdump shows; empty for a place somewhere behind a symbol."""
    return "" if shown is None or "+0x" in shown else shown.partition("@")[0]


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode()
