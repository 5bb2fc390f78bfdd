"""What an entry point runs, in the order in which it comes to it: first what surely runs, as far as calls can be
followed, then what else it may run, by the names that are read."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindport.model.span import Span
from mindport.usage.api_use import FileUsage
from mindport.usage.data_code import MODULE, DataCode
from mindport.usage.programs.class_methods import ClassMethods
from mindport.usage.programs.steps import MAIN, Block, BlockStep, Doing, Steps

_DEEPEST = 60
_STEPPING = ("backward", "step")
_MAKING = ("__new__", "__init__", "__post_init__", "__init_subclass__")


class Stage(enum.IntEnum):
    """When something runs; what fails at one stage keeps the program from all later ones."""

    IMPORT = 0  # the files of the program are imported
    BUILD = 1  # it has started, and makes its networks
    FORWARD = 2  # a network runs
    TRAIN = 3  # what comes after the first network has run, and gradients are taken


class Reached(msgspec.Struct, frozen=True):
    """A step of a file that a program comes to: a use of torch, a method of a value of unknown type, or code that is
    found by name. `is_certain`: it does whenever the program is run."""

    path: str
    step: BlockStep
    stage: Stage
    is_certain: bool
    is_inside: bool  # in a function, not among the statements of the file itself

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.step.span


class EntryProgram(msgspec.Struct, frozen=True):
    """What the entry point at `path` runs, in order; `files` are those that it surely imports."""

    path: str
    reached: tuple[Reached, ...]
    files: tuple[str, ...]
    trains: bool  # whether it takes gradients somewhere
    named: frozenset[Block] = frozenset()  # the definitions that it may use

    def may_make(self, path: str, name: str) -> bool:
        """Whether it may make an instance of a class, or of one that derives from it."""
        return (path, name) in self.named or any(
            at == path and one.startswith(f"{name}.") for at, one in self.named
        )


class Lead(NamedTuple):
    """What a block may lead to, and at which stage at the earliest; not before the block itself."""

    block: Block
    earliest: Stage


class Programs:
    """The programs of a project. `references` says which definitions name which."""

    def __init__(
        self,
        steps: Steps,
        references: DataCode,
        usage: Callable[[str], FileUsage],
        class_methods: ClassMethods,
    ) -> None:
        self._steps = steps
        self._class_methods = class_methods
        self._references = references
        self._usage = usage
        self._leads: dict[Block, tuple[Lead, ...]] = {}

    def is_program(self, path: str) -> bool:
        """Whether starting the file does something."""
        return self._steps.is_program(path)

    def follow(self, path: str) -> EntryProgram:
        """What the entry point at `path` runs."""
        run = self._run()
        run.start(path)
        run.spread()
        return run.program(path)

    def imported_by(self, path: str) -> tuple[str, ...]:
        """The files that the entry point at `path` surely imports, itself among them."""
        run = self._run()
        run.start(path)
        return tuple(run.files)

    def follow_package(self, path: str, files: Sequence[str]) -> EntryProgram:
        """What may run of the package whose `__init__` is at `path`, with its `files`: each of them is imported, and
        anything in them may be used."""
        run = self._run()
        run.offer(files)
        run.spread()
        return run.program(path)

    def _run(self) -> _Run:
        return _Run(self._steps, self._usage, self._led_to, self._class_methods)

    def _led_to(self, block: Block) -> tuple[Lead, ...]:
        found = self._leads.get(block)
        if found is None:
            found = self._leads[block] = tuple(self._leading(block))
        return found

    def _leading(self, block: Block) -> Iterator[Lead]:
        """What a block may lead to. What a module names when it is imported is used when the program runs; of a file
        that a function imports anything may be used."""
        path, name = block
        if name == MODULE:
            yield from (Lead((path, one), Stage.BUILD) for one in self._steps.registered(path))
        for step in self._steps.of(block) if self._steps.has(block) else ():
            if step.doing is Doing.IMPORT:
                target = step.block[0]
                yield Lead(step.block, Stage.IMPORT)
                if name not in (MODULE, MAIN):
                    yield from (Lead((target, one), Stage.BUILD) for one in self._steps.names(target))
        named = MODULE if name == MAIN else name
        if self._references.defines(path, named):
            yield from self._named(path, named)

    def _named(self, path: str, name: str) -> Iterator[Lead]:
        """What a definition names: the methods of a class run after its instance was made."""
        found = list(self._references.referred(path, name))
        yield from (Lead(block, Stage.BUILD) for block in found)
        for target, one in [*found, (path, name)]:
            if self._references.is_class(target, one):
                for member in self._references.members(target, one):
                    is_making = member.rpartition(".")[2] in _MAKING
                    yield Lead((target, member), Stage.BUILD if is_making else Stage.FORWARD)


class _Run:
    def __init__(
        self,
        steps: Steps,
        usage: Callable[[str], FileUsage],
        led_to: Callable[[Block], tuple[Lead, ...]],
        class_methods: ClassMethods,
    ) -> None:
        self._steps = steps
        self._class_methods = class_methods
        self._usage = usage
        self._led_to = led_to
        self._stage = Stage.IMPORT
        self._followed: dict[Block, bool] = {}  # -> whether for certain
        self._stages: dict[Block, Stage] = {}  # of the first time
        self._entry = ""
        self.reached: list[Reached] = []
        self.files: dict[str, None] = {}
        self._takes_gradients = False  # from here on
        self.trains = False

    def program(self, path: str) -> EntryProgram:
        """What was found, of the program that starts at `path`."""
        return EntryProgram(
            path, tuple(self.reached), tuple(self.files), self.trains, frozenset(self._stages)
        )

    def start(self, path: str) -> None:
        """Import the entry point's file, and start it."""
        self._entry = path
        self._follow((path, MODULE), True, 0)
        self._stage = Stage.BUILD
        self._follow((path, MAIN), True, 0)

    def offer(self, files: Sequence[str]) -> None:
        """Import files, and take everything in them for used."""
        for path in files:
            self._follow((path, MODULE), True, 0)
            for name in self._steps.names(path):
                owner, _, last = name.rpartition(".")
                is_method = bool(owner) and last not in _MAKING
                self._stages.setdefault((path, name), Stage.FORWARD if is_method else Stage.BUILD)

    def spread(self) -> None:
        """Add what may run besides: what the blocks so far name or import, and what is registered in their files."""
        waiting: dict[Block, Stage] = {}
        self._lead_on(waiting)
        # Another file that has come to be read may have the name of a method that waits for it.
        while named := [block for block in waiting if not self._is_unnamed(block)]:
            self._stages.update((block, waiting.pop(block)) for block in named)
            self._lead_on(waiting)
        for block, stage in sorted(self._stages.items(), key=lambda row: (row[1], row[0])):
            if block not in self._followed and self._steps.has(block):
                self._stage = stage
                self._followed[block] = False
                for step in self._steps.of(block):
                    if step.doing not in (Doing.CALL, Doing.IMPORT):
                        self._add(block, step, False)

    def _lead_on(self, waiting: dict[Block, Stage]) -> None:
        """Add what the blocks so far lead to, and to `waiting` the methods that none of the files so far names."""
        for stage in Stage:
            open_blocks = [block for block, at in self._stages.items() if at is stage]
            while open_blocks:
                for block, earliest in self._led_to(open_blocks.pop()):
                    at = max(stage, earliest)
                    if at >= self._stages.get(block, len(Stage)):
                        continue
                    if self._is_unnamed(block):
                        waiting.setdefault(block, at)
                        continue
                    self._stages[block] = at
                    if at is stage:
                        open_blocks.append(block)

    def _is_unnamed(self, block: Block) -> bool:
        return self._class_methods.is_unnamed(block, (path for path, _ in self._stages))

    def _follow(self, block: Block, is_certain: bool, depth: int) -> None:
        path, name = block
        before = self._followed.get(block)
        if before is True or before is is_certain or not self._steps.has(block) or depth > _DEEPEST:
            return
        self._followed[block] = is_certain
        self._stages.setdefault(block, self._stage)
        if name == MODULE and is_certain:
            self.files.setdefault(path)
        outside = self._stage
        is_network = name.endswith(".forward") and not self._takes_gradients
        if is_network:
            self._stage = Stage.FORWARD
        for step in self._steps.of(block):
            certain = is_certain and step.is_certain
            if step.doing is Doing.IMPORT:
                self._import(step.block, certain, depth)
            elif step.doing is Doing.CALL:
                self._follow(step.block, certain, depth + 1)
            else:
                self._add(block, step, certain)
        if is_network and outside is not Stage.FORWARD:
            self._stage = Stage.TRAIN

    def _import(self, block: Block, is_certain: bool, depth: int) -> None:
        """What a file does when another one imports it; that does not bring the program any further."""
        before = self._stage, self._takes_gradients
        self._follow(block, is_certain, depth)
        if block[0] != self._entry and not self._steps.is_guarded(block[0]):
            self._follow((block[0], MAIN), is_certain, depth)
        self._stage, self._takes_gradients = before

    def _add(self, block: Block, step: BlockStep, is_certain: bool) -> None:
        path, name = block
        if step.doing is Doing.USE:
            api = self._usage(path).uses[step.index].api
            if api.rpartition(".")[2] in _STEPPING and not api.startswith("torch.optim.lr_scheduler"):
                self._train()
        elif step.doing is Doing.METHOD and step.name in _STEPPING[:1]:
            self._train()
        self.reached.append(Reached(path, step, self._stage, is_certain, name not in (MODULE, MAIN)))

    def _train(self) -> None:
        self._stage = Stage.TRAIN
        self._takes_gradients = self.trains = True
