"""Which operators a compiled bprop emits, read from its machine code.

A bprop is a C++ function that gets a builder and emits operators with it: by name (`builder->Emit("ReluGrad", ..)`), by
a method of the builder (`builder->Mul(..)`, often through its table of virtual methods), by an overloaded operator
(`a * b`) or by a helper that gets the builder as an argument. So the builder is followed through registers and stack
along every path of the function, and into the functions it is passed to."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable

from second_order.elf import Function, Instruction, SharedLibrary

VTABLE = "_ZTVN9mindspore8expander5bprop12BpropBuilderE"
FIRST_SLOT = 16  # a table starts with an offset and the type's description

_METHOD = re.compile(r"_ZNK?9mindspore8expander(?:7Emitter|5bprop12BpropBuilder)(?P<length>\d+)(?P<rest>.*)")
_OPERATOR = re.compile(r"_ZN9mindspore8expander(?P<code>pl|mi|ml|dv|ng)E")
_OPERATORS = {"pl": "Add", "mi": "Sub", "ml": "Mul", "dv": "RealDiv", "ng": "Neg"}
_PRIMITIVE_OBJECT = re.compile(r"_ZN9mindspore4prim\d+kPrim(?P<name>\w+)E$")
_MEMORY = re.compile(r"(?P<offset>-?0x[0-9a-f]+|)\((?P<base>%\w+)\)$")
_ARGUMENTS = ("%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9")
_CALLER_SAVED = (*_ARGUMENTS, "%rax", "%r10", "%r11")
_ENDS = ("ret", "ud2", "hlt")


class Holds(enum.Enum):
    """What a register or a place on the stack holds of the builder."""

    BUILDER = "the builder's address"
    POINTER = "the address of a place that holds it"
    TABLE = "the table of its virtual methods"


State = dict[str, Holds]


class CompiledLinks:
    """Reads bprops of one library; `operators` are the names that count as operators."""

    def __init__(self, library: SharedLibrary, operators: frozenset[str]) -> None:
        self._library = library
        self._operators = operators
        self._table = library.objects_by_name[VTABLE]
        self._known: dict[tuple[int, tuple[tuple[str, Holds], ...]], set[str]] = {}
        self.unread: set[str] = set()

    def read(self, body: int, arguments: State) -> frozenset[str]:
        """The operators that the function at address `body` may emit, on whatever path."""
        return frozenset(self._read(body, arguments))

    def _read(self, start: int, arguments: State) -> set[str]:
        key = (start, tuple(sorted(arguments.items(), key=lambda item: item[0])))
        if key not in self._known:
            found: set[str] = set()
            self._known[key] = found  # before it is complete: a function may call itself
            function = self._library.function_at(start)
            if function is not None:
                _Walk(self, function, arguments, found).run()
        return self._known[key]

    def slot(self, offset: int) -> str | int | None:
        """What stands at this offset of the table of virtual methods."""
        return self._library.relocation(self._table + FIRST_SLOT + offset)

    def of_callee(self, target: str | int | None, arguments: State) -> set[str]:
        """What calling a symbol or an address emits."""
        if isinstance(target, int):
            return self._read(target, arguments)
        if target is None:
            return set()
        operator = _OPERATOR.match(target)
        if operator:
            return {_OPERATORS[operator["code"]]}
        method = _METHOD.match(target)
        if method:
            name = method["rest"][: int(method["length"])]
            if name in self._operators:
                return {name}
        if not arguments:
            return set()
        address = self._library.functions_by_name.get(target)
        if address is None:
            self.unread.add(target)
            return set()
        return self._read(address, arguments)

    @property
    def library(self) -> SharedLibrary:
        """The library that is read."""
        return self._library

    def is_operator(self, name: str) -> bool:
        """Whether the text is the name of an operator."""
        return name in self._operators


class _Walk:
    """One function, walked along all its paths with what each register holds."""

    def __init__(self, owner: CompiledLinks, function: Function, arguments: State, found: set[str]) -> None:
        self._owner = owner
        self._function = function
        self._code = owner.library.code(function)
        self._index = {instruction.address: i for i, instruction in enumerate(self._code)}
        self._found = found
        # with alloca or alignment the compiler addresses the stack through rbp
        moves = any(i.mnemonic == "mov" and i.operands == "%rsp,%rbp" for i in self._code[:8])
        self._stack = ("%rsp", "%rbp") if moves else ("%rsp",)
        self._states: dict[int, State] = {}
        self._waiting: list[int] = []
        self._enter(0, arguments)

    def run(self) -> None:
        """Walk until nothing new is held anywhere."""
        while self._waiting:
            index = self._waiting.pop()
            state = dict(self._states[index])
            while index < len(self._code):
                following = self._step(index, state)
                if following is None:
                    break
                index = following
                if index in self._states:  # another path has been here
                    self._enter(index, state)
                    break
                if index >= len(self._code):
                    break
                self._states[index] = dict(state)

    def _enter(self, index: int, state: State) -> None:
        known = self._states.get(index)
        if known is None:
            self._states[index] = dict(state)
        elif state.items() <= known.items():
            return
        else:
            known.update({place: held for place, held in state.items() if place not in known})
        if index not in self._waiting:
            self._waiting.append(index)

    def _step(self, index: int, state: State) -> int | None:
        """Do one instruction to `state`; the next index on the straight path, None where it ends."""
        instruction = self._code[index]
        mnemonic = instruction.mnemonic.split()[-1]
        if mnemonic in _ENDS:
            return None
        if mnemonic == "jmp":
            self._jump(instruction, state)
            return None
        if mnemonic.startswith("j"):
            target = self._index.get(int(instruction.operands, 16))
            if target is not None:
                self._enter(target, state)
            return index + 1
        if mnemonic == "call":
            self._call(instruction, state)
            for register in _CALLER_SAVED:
                state.pop(register, None)
            return index + 1
        self._move(instruction, mnemonic, state)
        return index + 1

    def _jump(self, instruction: Instruction, state: State) -> None:
        if instruction.operands.startswith("*"):  # through a table: any place nobody else leads to
            self._call(instruction, state)
            if "(" not in instruction.operands:
                for index in self._leaders():
                    self._enter(index, state)
            return
        target = self._index.get(int(instruction.operands, 16))
        if target is not None:
            self._enter(target, state)
        else:  # a call in the last place
            self._call(instruction, state)

    def _leaders(self) -> Iterable[int]:
        """Instructions behind an unconditional end that no direct jump leads to."""
        direct = {
            int(each.operands, 16)
            for each in self._code
            if each.mnemonic.split()[-1].startswith("j") and not each.operands.startswith("*")
        }
        for before, here in zip(self._code, self._code[1:], strict=False):
            ends = before.mnemonic.split()[-1] in (*_ENDS, "jmp")
            if (
                ends
                and here.address not in direct
                and not here.mnemonic.startswith(("nop", "cs", "data16", "xchg"))
            ):
                yield self._index[here.address]

    def _call(self, instruction: Instruction, state: State) -> None:
        arguments = {
            register: state[register]
            for register in _ARGUMENTS
            if register in state and state[register] is not Holds.TABLE
        }
        if instruction.operands.startswith("*"):
            return self._reference(instruction.operands[1:], state, arguments)
        target: str | int = instruction.symbol or int(instruction.operands, 16)
        if isinstance(target, int) and not arguments:
            return None
        self._found |= self._owner.of_callee(target, arguments)
        return None

    def _reference(self, operand: str, state: State, arguments: State) -> None:
        """A method taken from the table of virtual methods."""
        memory = _MEMORY.match(operand)
        if memory is None or state.get(memory["base"]) is not Holds.TABLE:
            return
        target = self._owner.slot(int(memory["offset"] or "0", 16))
        self._found |= self._owner.of_callee(target, arguments or {"%rsi": Holds.BUILDER})

    def _move(self, instruction: Instruction, mnemonic: str, state: State) -> None:
        source, _, target = instruction.operands.rpartition(",")
        source, target = source.strip(), target.strip()
        if mnemonic in ("cmp", "cmpq", "test", "testb", "push", "nop", "nopl", "nopw", "cmpl", "cmpb"):
            return
        if mnemonic == "lea":
            self._address(instruction, source, target, state)
            return
        if instruction.comment is not None:
            self._global(instruction.comment)
        held: Holds | None = None
        if mnemonic in ("mov", "movq"):
            memory = _MEMORY.match(source)
            if memory is None or memory["base"] in self._stack:
                held = state.get(source)
            else:
                base, offset = state.get(memory["base"]), int(memory["offset"] or "0", 16)
                if base is Holds.TABLE:
                    self._reference(source, state, {})
                elif base is Holds.POINTER and offset == 0:
                    held = Holds.BUILDER
                elif base is Holds.BUILDER and offset == 0:
                    held = Holds.TABLE
        elif mnemonic == "xchg":
            return
        place = target or source  # instructions with one operand change it
        if held is not None:
            state[place] = held
        else:
            state.pop(_whole(place), None)

    def _address(self, instruction: Instruction, source: str, target: str, state: State) -> None:
        state.pop(target, None)
        if instruction.comment is not None:
            text = self._owner.library.text_at(instruction.comment)
            if text is not None and self._owner.is_operator(text):
                self._found.add(text)
            elif self._owner.library.function_at(instruction.comment) is not None:
                # the code of a lambda that is handed on; such code gets the builder by reference
                handed = {"%rdx": Holds.POINTER, "%rsi": Holds.POINTER}
                self._found |= self._owner.of_callee(instruction.comment, handed)
        elif state.get(source) is Holds.BUILDER:
            state[target] = Holds.POINTER

    def _global(self, address: int) -> None:
        symbol = self._owner.library.relocation(address)
        match = _PRIMITIVE_OBJECT.match(symbol) if isinstance(symbol, str) else None
        if match and self._owner.is_operator(match["name"]):
            self._found.add(match["name"])


def _whole(register: str) -> str:
    """The 64-bit register that a shorter name is part of."""
    match = re.fullmatch(r"%(?:e?([abcd]x|[sd]i|[sb]p)|([abcd])[lh]|([sd]i|[sb]p)l|(r\d+)[dwb])", register)
    if match is None:
        return register
    if match[4]:
        return f"%{match[4]}"
    name = match[1] or (f"{match[2]}x" if match[2] else match[3])
    return f"%r{name}"
