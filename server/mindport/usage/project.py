"""The files of one project, what they export to each other, and the uses of torch in each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from mindport.model.verdict import Confidence
from mindport.source.module import ParsedModule
from mindport.source.problem import Problem
from mindport.source.units import Unit
from mindport.usage import own_modes
from mindport.usage.api_use import ApiUse, ClassNames, FileUsage, Form, ImportBinding, StepSurroundings
from mindport.usage.array_members import arrays_have
from mindport.usage.changes_between_steps import ChangesBetweenSteps, has_steps
from mindport.usage.data_code import DataCode, has_signs
from mindport.usage.dependencies import Key
from mindport.usage.file_usage import file_usage
from mindport.usage.files import FileState
from mindport.usage.frozen_parameters import FROZEN_PARAMETERS
from mindport.usage.given_modules import classes_given_evaluated
from mindport.usage.gradient_readers import gradient_readers
from mindport.usage.graph_calls import GraphCalls
from mindport.usage.handed_graphs import handed_graphs
from mindport.usage.import_rows import import_bindings
from mindport.usage.interface import interface
from mindport.usage.kept_readers import kept_readers
from mindport.usage.mindspore_uses import MindSporeReader
from mindport.usage.modules import ModuleFinder
from mindport.usage.named_in_strings import NamesInStrings, with_names
from mindport.usage.places import CalledPlace
from mindport.usage.present_places import present_called, present_imports, present_links, present_usage
from mindport.usage.programs.class_methods import ClassMethods
from mindport.usage.programs.reach import Programs
from mindport.usage.programs.steps import Steps
from mindport.usage.project_names import ProjectNames
from mindport.usage.project_signs import UNFROZEN, file_signs, project_signs
from mindport.usage.regions.find import LinkFinder
from mindport.usage.regions.link import ChainLink
from mindport.usage.regions.program import no_pause
from mindport.usage.replaced_weights import REPLACED_WEIGHTS
from mindport.usage.resolve import Resolver
from mindport.usage.seen.run import SeenFile
from mindport.usage.stepped_networks import stepped_networks
from mindport.usage.torch_model import TENSOR_CLASS
from mindport.usage.value_keepers import value_keepers
from mindport.usage.variables import UnitSummary
from mindport.usage.world import name_of_base, short_name

_Around = tuple[dict[tuple[str, str], tuple[str, ...]], StepSurroundings, frozenset[str], ClassNames]
# What a file does in its present text, behind what that was made of.
_Present = tuple[FileUsage, _Around, FileUsage]


class Project(ProjectNames):
    """All files of one project. Paths are with forward slashes, relative to the project or absolute, but all alike.

    `usage` is a pure function of the texts: the order of additions and edits never shows. `revision` grows whenever an
    edit of one file may have changed what another one means."""

    def __init__(self, root: str = "") -> None:
        super().__init__(root)
        self._takes_guesses = False
        self.revision = 0
        self._usages: dict[str, FileUsage] = {}  # in the analysed texts
        self._present_usages: dict[str, _Present] = {}
        self._mindspore_readers: dict[str, MindSporeReader] = {}
        self._data_code: DataCode | None = None
        self._programs: Programs | None = None
        self._prepares_data = False  # whether any text ever had a sign of data code
        self._signs: dict[str, frozenset[str]] = {}  # file -> what it has signs of
        self._sign_counts: Counter[str] = Counter()
        self._replaced_weights = ChangesBetweenSteps(self._texts, self._state, REPLACED_WEIGHTS)
        self._frozen_parameters = ChangesBetweenSteps(self._texts, self._state, FROZEN_PARAMETERS)
        self._gradient_readers = gradient_readers(self._texts, self._state)
        self._value_keepers = value_keepers(self._texts, self._state)
        self._kept_readers = kept_readers(self._texts, self._state)
        self._handed_graphs = handed_graphs(self._texts, self._state)
        self._stepped_networks = stepped_networks(self._texts, self._state)
        self._classes_given_evaluated = classes_given_evaluated(self._texts, self._state)
        self._names_in_strings = NamesInStrings(self._texts)
        self._own_modes: tuple[int, frozenset[str]] = -1, frozenset()  # the classes, as of a revision
        self._graph_calls = GraphCalls(self._texts, self._state, self._resolver, lambda: self.revision)
        self._link_finder = LinkFinder(
            self._texts, self._state, lambda path, dotted, level: self._finder.find(path, dotted, level)
        )

    def add(self, path: str, text: str) -> None:
        """Add a file, or give it a new text."""
        if self._take(path, text):
            self._files_changed()

    def add_all(self, texts: Mapping[str, str]) -> None:
        """Add many files (path -> text), or give them new texts: what is known of all files is looked at once."""
        new = [self._take(path, text) for path, text in texts.items()]
        if any(new):
            self._files_changed()

    def _take(self, path: str, text: str) -> bool:
        """Give a file its text; says whether it is new, so that imports may lead elsewhere."""
        before = self._texts.get(path)
        if before == text:
            return False
        self._texts[path] = text
        counts_otherwise = self._seen.note(path, text)
        self._programs = None
        self._note_signs(path, project_signs(text))
        self._replaced_weights.note(path, text)
        self._frozen_parameters.note(path, text)
        self._gradient_readers.note(path)
        self._value_keepers.note(path)
        self._kept_readers.note(path)
        self._handed_graphs.note(path)
        self._stepped_networks.note(path)
        self._classes_given_evaluated.note(path)
        self._names_in_strings.note(path)
        if not self._prepares_data and has_signs(text):
            # From here on it takes the whole project to tell what only prepares data.
            self._prepares_data = True
            self._data_code = None
            self._usages.clear()
        if before is None:
            self._note_classes(path)
            return True
        state = self._files.get(path)
        self._link_finder.text_changed(path, before, state)
        if state is not None:
            if file_signs(before) != file_signs(text):
                state.rows.clear()  # of units that did not change, too
            self._edit(state, text)
        if counts_otherwise:
            self._forget()  # what the last lines concluded, too
        return False

    def see(self, seen: Mapping[str, SeenFile]) -> None:
        """Say what a run of the project showed of its files. It counts for files that still have the text that ran."""
        if not seen and not self._seen.has_any:
            return
        self._seen.take(seen, self._texts)
        self._resolver.may_show_more = bool(seen)
        self._forget()

    def configure(self, words: frozenset[str]) -> None:
        """Say which words the configuration of the project has, that its code may look up in torch."""
        self._names_in_strings.configure(words)

    def remove(self, path: str) -> None:
        """Forget a file; one that is not there is no error."""
        if self._texts.pop(path, None) is not None:
            self._programs = None
            self._note_signs(path, frozenset())
            self._replaced_weights.note(path, "")
            self._frozen_parameters.note(path, "")
            self._gradient_readers.note(path)
            self._value_keepers.note(path)
            self._kept_readers.note(path)
            self._handed_graphs.note(path)
            self._stepped_networks.note(path)
            self._classes_given_evaluated.note(path)
            self._names_in_strings.note(path)
            self._mindspore_readers.pop(path, None)
            self._present_usages.pop(path, None)
            self._files.pop(path, None)
            self._note_classes(path)
            self._files_changed()

    def paths(self) -> Iterable[str]:
        """The files that were added."""
        return self._texts.keys()

    @property
    def finder(self) -> ModuleFinder:
        """Where imports lead, until files are added or removed."""
        return self._finder

    def text(self, path: str) -> str:
        """The text of a file. Raises KeyError for one that was not added."""
        return self._texts[path]

    def usage(self, path: str) -> FileUsage:
        """Everything that the file does with torch. Raises KeyError for a file that was not added."""
        analysed = self._analysed_usage(path)
        beside = StepSurroundings()
        if has_steps(self._texts[path]):
            beside = StepSurroundings(
                self._replaced_weights.may_be(),
                UNFROZEN in self._all_signs() or self._frozen_parameters.may_be(),
                self._gradient_readers.names(),
                self._value_keepers.names(),
                self._kept_readers.names(),
                self._handed_graphs.names(),
                self._stepped_networks.names(),
            )
        modules = self.python_modules_of_stars(path)
        names = self._names_in_strings.looked_up(analysed.uses)
        known = self._present_usages.get(path)
        around = names, beside, modules, self._class_names(path)
        if known is None or known[0] is not analysed or known[1] != around:
            present = present_usage(analysed, self._state(path).module)
            uses = with_names(present.uses, names) if names else present.uses
            uses = self.guesses_taken(path, uses) if self._takes_guesses else uses
            present = msgspec.structs.replace(
                present, uses=uses, beside_steps=beside, python_modules=modules, classes=around[3]
            )
            known = self._present_usages[path] = analysed, around, present
        return known[2]

    def _class_names(self, path: str) -> ClassNames:
        if self._own_modes[0] != self.revision:
            methods = [method for name in own_modes.NAMES for method in self.methods(name)]
            keys = own_modes.with_own_modes(methods, self._resolver.own_bases, self._resolver.heirs)
            self._own_modes = self.revision, keys
        classes = self._state(path).classes
        networks = frozenset(
            short_name(key) for key in classes if self._resolver.torch_base(key).startswith("torch.nn.")
        )
        return ClassNames(
            networks,
            frozenset(short_name(key) for key in classes if key in self._own_modes[1]),
            # Not asked where nothing can be given: it looks through all files that evaluate anything.
            networks & self._classes_given_evaluated.names() if networks else networks,
        )

    def take_guesses(self, takes: bool) -> None:
        """From now on let what is only guessed count for what it probably is, or not."""
        self._takes_guesses = takes
        self._present_usages.clear()

    def guesses_taken(self, path: str, uses: tuple[ApiUse, ...]) -> tuple[ApiUse, ...]:
        """The uses, where a guess is taken for right. In code that only prepares data values are arrays as often as
        tensors: there one is, if arrays have no such member."""
        return tuple(
            msgspec.structs.replace(use, confidence=Confidence.TAKEN)
            if use.confidence is Confidence.GUESSED
            and (_is_of_no_array(use) or not self.data_code().is_data(path, use.scope))
            else use
            for use in uses
        )

    def _analysed_usage(self, path: str) -> FileUsage:
        found = self._usages.get(path)
        if found is None:
            found = self._usages[path] = file_usage(
                self._state(path),
                self._resolver,
                tuple(import_bindings(self._state(path))),
                self._is_project(path),
                self.data_code(),
                self._mindspore_readers.setdefault(path, MindSporeReader()),
                signs=self._all_signs() | file_signs(self._texts[path]),
                seen=self._seen.places(self._state(path)).calls if self._seen.is_of(path) else {},
            )
        return found

    def imports(self, path: str) -> tuple[ImportBinding, ...]:
        """The names that imports of the file bind at module level; asks for no types, so it is much cheaper than
        `usage`. Raises KeyError for a file that was not added."""
        state = self._state(path)
        return present_imports(tuple(import_bindings(state)), state.module)

    def names_layers(self) -> bool:
        """Whether code of the project may ask for torch's layers or optimizers by strings that name them."""
        return self._names_in_strings.names_layers()

    def names_read(self, path: str) -> frozenset[str]:
        """Every name that the file reads anywhere. Raises KeyError for a file that was not added."""
        return frozenset().union(*(summary.names for summary in self._state(path).summaries))

    def data_code(self) -> DataCode:
        """What of the project only prepares data, and is no part of the network or its training."""
        if self._data_code is None:
            self._data_code = DataCode(lambda path, dotted, level: self._finder.find(path, dotted, level))
            if self._prepares_data:
                self._data_code.refresh({path: self._state(path) for path in self._texts})
        return self._data_code

    def programs(self) -> Programs:
        """The programs of the project as it is now: what each entry point runs."""
        if self._programs is not None:
            return self._programs
        references = DataCode(lambda path, dotted, level: self._finder.find(path, dotted, level))
        references.refresh({path: self._state(path) for path in self._texts})
        steps = Steps(
            self._texts,
            self._state,
            self._analysed_usage,
            self._resolver,
            lambda path, dotted, level: self._finder.find(path, dotted, level),
        )
        self._programs = Programs(
            steps, references, self._analysed_usage, ClassMethods(self._texts, self._state)
        )
        return self._programs

    def second_order_links(self, path: str) -> tuple[ChainLink, ...]:
        """The APIs in the file that a gradient of a gradient goes through, wherever in the project it is taken. Costs
        next to nothing where none is. Raises KeyError for a file that was not added."""
        links = self._link_finder.links(path, self._analysed_usage)
        return present_links(links, self._state(path).module, self._module) if links else links

    def called_places(self, path: str, *, networks: bool) -> tuple[CalledPlace, ...]:
        """The constructs that matter in a graph, in functions of the file that compiled ones call from wherever in the
        project. `networks` says that networks are compiled, not only what is decorated so. Raises KeyError for a file
        that was not added."""
        self._analysed_usage(path)
        called = self._graph_calls.places(path, networks=networks)
        return present_called(called, self._state(path).module, self._module) if called else called

    @property
    def has_current_links(self) -> bool:
        """Whether `second_order_links` needs no new search."""
        return self._link_finder.is_current

    def search_links(self, pause: Callable[[], None] = no_pause) -> None:
        """Do the search of `second_order_links` now, where an edit may have changed the links of any file. It calls
        `pause` now and then; what that raises ends the search, and leaves it to be done."""
        self._link_finder.look(pause)

    def problems(self, path: str) -> tuple[Problem, ...]:
        """The parts of the file that do not parse. Raises KeyError for a file that was not added."""
        return self._state(path).module.problems

    def units(self, path: str) -> list[Unit]:
        """The top-level statements and class members of the file. Raises KeyError for a file that was not added."""
        return self._state(path).module.units

    def _module(self, path: str) -> ParsedModule | None:
        return self._state(path).module if path in self._texts else None

    def _note_signs(self, path: str, signs: frozenset[str]) -> None:
        """Keep what a file has signs of; where the project has the first one or the last one is gone, every use in it
        is another."""
        before = self._all_signs()
        self._sign_counts.subtract(self._signs.pop(path, ()))
        self._sign_counts.update(signs)
        if signs:
            self._signs[path] = signs
        if before != self._all_signs():
            self._forget()

    def _all_signs(self) -> frozenset[str]:
        return frozenset(name for name, count in self._sign_counts.items() if count)

    def _files_changed(self) -> None:
        """Imports may lead elsewhere now."""
        self._link_finder.files_changed()
        self._finder = ModuleFinder(self.root, self._texts)
        for path, state in list(self._files.items()):
            if state.leads_elsewhere(self._is_project(path)):
                del self._files[path]
                self._note_classes(path)
        self._forget()

    def start_over(self) -> None:
        """Drop all that was concluded, after an error that may have left conclusions half made."""
        self._forget()

    def _forget(self) -> None:
        """Drop all that was concluded, but not what was read."""
        self.revision += 1
        self._resolver.forget()
        self._dependencies.clear()
        self._passed.forget()
        self._usages.clear()
        self._data_code = None
        self._programs = None
        for state in self._files.values():
            state.rows.clear()

    def _edit(self, before: FileState, text: str) -> None:
        """Give a file a new text, and drop what was concluded from it: what others see of the units that changed, and
        which functions only prepare data."""
        self._change(before, text)
        if self._data_code is not None and self._prepares_data:
            changed = self._data_code.refresh(self._files) - {before.path}
            self.revision += bool(changed)
            for path in changed:
                self._usages.pop(path, None)

    def _change(self, before: FileState, text: str) -> None:
        path = before.path
        state = FileState(path, text, self._is_project(path), before)
        self._usages.pop(path, None)
        if not state.added and not state.removed:
            self._keep(path, state)
            return
        kinds = [(one.star_imports(), one.imports_torch, one.is_for_arrays) for one in (before, state)]
        is_same = kinds[0] == kinds[1]
        if not self._passed.is_known or not is_same:
            self._keep(path, state)
            self._forget()
            return
        old = interface(state.removed, self._resolver)
        gave = self._passed.types(state.removed, self._resolver)
        were = {key: self._resolver.passed_types(*key) for key in gave}
        self._keep(path, state)
        for summary in state.removed:
            self._passed.withdraw(summary)
            self._dependencies.drop(summary)
            self._resolver.forget_variables(summary.variables)
        # A resolver of its own: nothing that was concluded from the old units may speak for the new ones.
        fresh = Resolver(self)
        for summary in state.added:
            self._contribute(summary, fresh)
        new = interface(state.added, fresh)
        changed: set[Key] = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
        gives = self._passed.types(state.added, fresh)
        for key in gave.keys() | gives.keys():
            # Other calls pass what they passed before: only where these differ is it worth asking for all of them.
            if gave.get(key) != gives.get(key) and were.get(key) != fresh.passed_types(*key):
                changed.add(("passed", *key))
        changed.update(("binding", path, name) for name in state.changed_names(before))
        if changed:
            self._drop(changed)
        # What was concluded from the old units and still holds hangs on the new ones from now on: let them ask.
        interface(state.added, self._resolver)

    def _drop(self, keys: set[Key]) -> None:
        """Drop everything that was concluded from what the keys stand for."""
        self.revision += 1
        pending = keys
        done: set[Key] = set()
        while pending:
            reached, units = self._dependencies.reached(pending, self._defined_by)
            done |= reached
            pending = set()
            for key in reached:
                self._resolver.forget_answer(key)
            for summary in units:
                self._dependencies.drop(summary)
                self._resolver.forget_variables(summary.variables)
                for function in summary.functions:
                    self._resolver.forget_answer(("function", function))
                self._passed.withdraw(summary)
            for path, state in self._files.items():
                if not units.isdisjoint(state.summaries):
                    self._usages.pop(path, None)
                    for summary in units:
                        state.rows.pop(summary, None)
            for path in sorted(self._files):
                for summary in self._files[path].summaries:
                    if summary in units:
                        self._contribute(summary, self._resolver)
                        pending |= {("passed", *key) for key in self._passed.parameters(summary)} - done

    def _defined_by(self, summary: UnitSummary) -> Iterator[Key]:
        """The keys that a unit says something of."""
        for name in summary.bindings:
            yield "binding", summary.path, name
        for key, record in summary.classes.items():
            yield "bases", key
            for base in record.bases:
                yield "derived", name_of_base(base)
            for name in record.attributes:
                yield "member", key, name
        for function in summary.functions:
            yield "function", function.key
            if function.class_key:
                yield "member", function.class_key, function.name
                yield "overrides", function.name
        for parameter in self._passed.parameters(summary):
            yield "passed", *parameter


def _is_of_no_array(use: ApiUse) -> bool:
    """Whether a use is a method of tensors that arrays do not have."""
    name = use.api.removeprefix(f"{TENSOR_CLASS}.")
    return name != use.api and use.form is Form.METHOD and not arrays_have(name, is_called=True)
