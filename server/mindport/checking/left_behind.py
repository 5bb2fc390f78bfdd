"""What of torch is left in a file after a port with all fixes, judged use by use before anything is changed."""

from __future__ import annotations

import enum
import functools
import io
import queue
import re
import sys
from collections.abc import Collection

import msgspec

from mindport.checking.beginning import written_first
from mindport.checking.engine import Assessment, Engine
from mindport.checking.training import ProjectSteps, needs_recording
from mindport.checking.writable import as_writable, depends_on_text
from mindport.mapping.judgement import Judgement
from mindport.mapping.schema import Case
from mindport.model.language import say
from mindport.model.span import Span
from mindport.model.target import Device
from mindport.model.verdict import Applicability, Confidence, Verdict
from mindport.registry.libraries import PORTED
from mindport.registry.library_parts import part_of, parts_of
from mindport.registry.returns import ReturnKind
from mindport.registry.torch import torch_facts
from mindport.rewrite.gradients_by_callers import gradients_by_callers
from mindport.rewrite.library_imports import LibraryImports
from mindport.rewrite.optional_imports import is_library, mentions_at_import
from mindport.rewrite.ported_imports import is_replaced, with_ported_libraries
from mindport.rewrite.text_edits import TextEdit
from mindport.rewrite.training.recorded import met_by_recording
from mindport.source.lines import LineIndex
from mindport.usage.api_use import ApiUse, FileUsage, Form
from mindport.usage.array_members import arrays_have
from mindport.usage.gradient_flags import without_gradient_flag
from mindport.usage.project import Project
from mindport.usage.torch_model import TORCH_ROOTS

# Forms that name nothing which has to be there when the program runs.
_FOLLOWING = (Form.IMPORT, Form.ANNOTATION, Form.OVERRIDE, Form.CONFIG)
# What a value is asked for; that it is not there shows only where the value is what it is thought to be.
_OF_VALUES = (Form.METHOD, Form.ATTRIBUTE, Form.OPERATOR, Form.INDEX, Form.LAYER_CALL)
_MEMBERS = (Form.METHOD, Form.ATTRIBUTE)
_MENTIONS = (Form.BASE_CLASS, Form.VALUE, Form.DECORATOR)
_TENSOR, _MODULE = "torch.Tensor", "torch.nn.Module"
# What stands for values of a class of torch in a port.
_COUNTERPARTS = {
    _TENSOR: ("mindspore.Tensor", "mindspore.Parameter"),
    _MODULE: ("mindspore.nn.Cell",),
    "torch.optim.Optimizer": ("mindspore.experimental.optim.Optimizer",),
    "torch.optim.lr_scheduler.LRScheduler": ("mindspore.experimental.optim.lr_scheduler.LRScheduler",),
}
# Templates of what is left out, and what a run says that compared no gradients.
_LEAVING_OUT = ("$input", "pass")
_WITHOUT_GRADIENT = "value-shape-dtype"
_FOLLOWED_STEPS = frozenset(("backward", "step", "zero_grad"))

# A method, or an attribute like `self.relu` that something is written to.
_OWN = re.compile(r"\b(?:def (\w+)\(|self\.(\w+)(?=\s*(?::.*)?=(?!=)))")

# Without one of these a text has nothing that is written anew as a part of a training step.
_SIGNS_OF_STEPS = (*(f".{name}(" for name in sorted(_FOLLOWED_STEPS)), "grad", "autocast", "GradScaler")
# What lists, texts, files and the like have, too.
_OF_PYTHON = frozenset(
    name for kind in (list, dict, set, str, bytes, int, io.TextIOWrapper, queue.Queue) for name in dir(kind)
)
# Tables of pandas, and trainers, estimators and evaluators of other libraries.
_OF_LIBRARIES = frozenset({
    "abs", "add", "apply", "clip", "cov", "cummax", "cummin", "diff", "div", "divide", "eq", "eval", "expand",
    "float", "ge", "gt", "isin", "le", "lt", "median", "mod", "mode", "mul", "multiply", "ne", "pow",
    "quantile", "sample", "sub", "subtract", "train", "type", "unique", "where",
})  # fmt: skip


class Left(enum.Enum):
    """What becomes of a use in a port."""

    READY = "ready"  # works: as it is, by a fix that was proved, or by one that is believed to be right
    UNSURE = "unsure"  # a fix that nobody ran, a difference, or a judgement that hangs on what is not known
    STAYS = "stays"  # torch's name is left, and fails when it is reached


class LeftUses:
    """The uses of a project's files. `ported` are those that are ported together, which decides how training steps are
    written."""

    def __init__(
        self, project: Project, engine: Engine, steps: ProjectSteps, ported: Collection[str]
    ) -> None:
        self._project = project
        self._steps = steps
        self._ported = ported
        self._engine = engine
        self._library_imports: dict[tuple[str, str], LibraryImports] = {}  # file and library -> its imports
        self._helped: dict[str, str] = {}
        self._files: dict[str, tuple[FileUsage, tuple[tuple[Left, str], ...]]] = {}
        self._torch_alone: dict[str, bool] = {}
        self._kept_imports: dict[str, tuple[Span, str, str] | None] = {}
        self._records: bool | None = None
        self._moved: dict[str, list[TextEdit]] | None = None

    @property
    def is_for_cpu(self) -> bool:
        """Whether the target has nothing that a program would take for a GPU."""
        return self._engine.target.device is Device.CPU

    def state(self, path: str, index: int) -> tuple[Left, str, str]:
        """What becomes of the use at an index of FileUsage.uses, how it is called, and why."""
        usage, judged = self._file(path)
        left, why = judged[index]
        return left, usage.uses[index].api, why

    def kept_import(self, path: str) -> tuple[Span, str, str] | None:
        """The use that keeps a file from being imported without torch, if any: the file does more with a name that is
        left than to mention it when it is imported, or is a script that torch is left over in."""
        if path not in self._kept_imports:
            self._kept_imports[path] = self._kept_import(path)
        return self._kept_imports[path]

    def _kept_import(self, path: str) -> tuple[Span, str, str] | None:
        text = self._project.text(path)
        usage, judged = self._file(path)
        is_imported = any(
            one.module.partition(".")[0] in TORCH_ROOTS and not one.statement.column for one in usage.imports
        )
        staying = [use for use, (left, _) in zip(usage.uses, judged, strict=True) if left is Left.STAYS]
        if not staying or not is_imported:
            return None
        if is_library(text):
            places = mentions_at_import(text)
            staying = [use for use in staying if places.get(use.span.start) is False]
        for use in staying:
            _, why = judged[usage.uses.index(use)]
            return use.span, use.api, why
        return None

    def imported_library(self, path: str) -> tuple[Span, str, str] | None:
        """The first import at the top of a file of a library that is built on torch, if any: where torch is not
        installed, the file is not imported, either."""
        usage = self._project.usage(path)
        lines = {one.statement.line for one in usage.imports if not one.statement.column}
        for use in usage.uses:
            is_reached = use.form is Form.IMPORT and not use.guarded and use.span.line in lines
            if is_reached and use.library and not self._comes_along(path, use):
                return use.span, use.api, self._engine.assess(use).reason
        return None

    def _comes_along(self, path: str, use: ApiUse) -> bool:
        """Whether the port has what is imported of a library, in a module of its own or by helpers."""
        parts = parts_of(use.library)
        if parts is None:
            return use.api in PORTED or is_replaced(use.library, self._with_helpers(path))
        key = path, use.library
        if key not in self._library_imports:
            idle = parts.idle(map(self._project.text, self._project.paths()))
            self._library_imports[key] = LibraryImports(self._project.text(path), parts, idle)
        return self._library_imports[key].leads(use.api)

    def _with_helpers(self, path: str) -> str:
        """The text of a file, with helpers in the place of what it imports of libraries that have them."""
        if path not in self._helped:
            self._helped[path] = with_ported_libraries(self._project.text(path))
        return self._helped[path]

    def is_mention(self, path: str, index: int) -> bool:
        """Whether a use only names something, which need not be there before somebody makes use of it."""
        usage, _ = self._file(path)
        return usage.uses[index].form in _MENTIONS

    def is_method_of_torch_alone(self, name: str) -> bool:
        """Whether torch's tensors or modules have a method that MindSpore's have not, so that it matters whose method a
        call means; not where the project has a method, or an attribute like `self.relu`, of that name itself."""
        found = self._torch_alone.get(name)
        if found is None:
            found = self._torch_alone[name] = self._has_no_counterpart(name)
        return found

    def _has_no_counterpart(self, name: str) -> bool:
        if name in _FOLLOWED_STEPS or self._is_of_python_or_own(name):
            return False
        facts, mindspore = torch_facts(), self._engine.mindspore
        owners = [owner for owner in (_TENSOR, _MODULE) if facts.member(owner, name) is not None]
        counterparts = [one for owner in (_TENSOR, _MODULE) for one in _COUNTERPARTS[owner]]
        return bool(owners) and not any(mindspore.has(f"{one}.{name}") for one in counterparts)

    def _is_of_python_or_own(self, name: str) -> bool:
        return name in _OF_PYTHON or name in self._own_names

    @functools.cached_property
    def _own_names(self) -> frozenset[str]:
        texts = map(self._project.text, self._project.paths())
        return frozenset(
            name for text in texts for found in _OWN.finditer(text) for name in found.groups() if name
        )

    def _file(self, path: str) -> tuple[FileUsage, tuple[tuple[Left, str], ...]]:
        """What a file uses, and what becomes of each use."""
        found = self._files.get(path)
        if found is None:
            text, usage = self._project.text(path), self._project.usage(path)
            found = self._files[path] = usage, tuple(self._judged(path, text, usage))
        return found

    def _judged(self, path: str, text: str, usage: FileUsage) -> list[tuple[Left, str]]:
        engine = self._engine
        lines = LineIndex(text)
        assessments = []
        recorded = self._is_recorded()
        uses = self._project.guesses_taken(path, usage.uses)
        uses = tuple(map(_marked_afterwards, uses)) if recorded else uses
        for use in uses:
            assessment = engine.assess(use)
            if depends_on_text(assessment):
                assessment = as_writable(use, assessment, lines, engine)
            assessments.append(assessment)
        judged = [self._judged_use(use, one) for use, one in zip(uses, assessments, strict=True)]
        has_steps = any(sign in text for sign in _SIGNS_OF_STEPS)
        steps = self._steps.of(path, recorded=recorded).rewrites if has_steps else ()
        met = met_by_recording(usage, lines) if recorded else frozenset()
        written = [
            use
            for use, one in zip(usage.uses, assessments, strict=True)
            if one.fix in (Applicability.SAFE, Applicability.UNSAFE)
        ]
        fixed = [use.call.span for use in written if use.call is not None]
        names = {(use.span.start, use.api.rpartition(".")[0]) for use in written if use.form is Form.VALUE}
        moved = [*self._taken_by_callers().get(path, ())] if "create_graph" in text else []
        if any(left is not Left.READY for left, _ in judged):
            moved += written_first(text)
        for index, use in enumerate(usage.uses):
            left, why = judged[index]
            if left is Left.READY:
                continue
            if (
                index in met
                or any(edit.start <= lines.offset(use.span.start) < edit.end for edit in moved)
                or any(step.replaces(use.span) or step.rewrite.span.encloses(use.span) for step in steps)
                or (use.span.start, use.api) in names  # `dist.ReduceOp` of `dist.ReduceOp.SUM`
            ):
                judged[index] = Left.READY, ""
            elif left is Left.STAYS and any(span.encloses(use.span) and span != use.span for span in fixed):
                judged[index] = Left.UNSURE, why  # the call around it is written anew, maybe without it
        return judged

    def _taken_by_callers(self) -> dict[str, list[TextEdit]]:
        """Where gradients of penalties stand that callers take, once the files are ported."""
        if self._moved is None:
            self._moved = gradients_by_callers({path: self._project.text(path) for path in self._ported})
        return self._moved

    def _judged_use(self, use: ApiUse, assessment: Assessment) -> tuple[Left, str]:
        judgement = assessment.judgement
        if use.form in _FOLLOWING or use.guarded:
            return Left.READY, ""
        if use.library:
            comes_along = part_of(use.api) or use.api in PORTED
            return (Left.READY, "") if comes_along else (Left.UNSURE, assessment.reason)
        if use.confidence is Confidence.TAKEN and not self._has_name_of_torch_alone(use):
            is_kept = assessment.fix is None and judgement.verdict is Verdict.SAME and not judgement.silent
            if is_kept:  # as it stands it does for a tensor, and for whatever else the original takes
                return Left.READY, ""
            return Left.UNSURE, say("the type of the value is a guess")
        if use.form is Form.DYNAMIC:
            return (Left.READY, "") if use.names and assessment.fix else (Left.UNSURE, assessment.reason)
        if assessment.fix is Applicability.SAFE:
            return Left.READY, ""
        if assessment.fix is Applicability.UNSAFE:
            doubt = "" if self._is_elsewhere(use, judgement) else _doubt(use, judgement)
            return (Left.UNSURE, doubt) if doubt else (Left.READY, "")
        if judgement.verdict is Verdict.SAME:
            return (Left.UNSURE, judgement.silent) if judgement.silent else (Left.READY, "")
        if use.confidence is Confidence.GUESSED:
            return Left.READY, ""  # in code that prepares data, where it is no tensor most of the time
        if use.form is Form.TYPE_CHECK:  # nothing is of a class that is not there
            return Left.READY, ""
        if use.form in _OF_VALUES:
            return self._judged_member(use, assessment)
        return Left.STAYS, assessment.reason or say("no fix is known for it")

    def _has_name_of_torch_alone(self, use: ApiUse) -> bool:
        """Whether neither arrays, nor what Python itself has, nor the project's own classes have a member of that name:
        a guess that the value is torch's is as good as right."""
        name = use.api.rpartition(".")[2]
        if use.form not in _MEMBERS or arrays_have(name, use.form is Form.METHOD):
            return False
        return name not in _OF_LIBRARIES and not self._is_of_python_or_own(name)

    def _is_elsewhere(self, use: ApiUse, judgement: Judgement) -> bool:
        """Whether what stands for a class, or for a member of one, is of a package of its own, which no version of
        MindSpore changes: TensorBoard's writer."""
        if _is_of_another_package(judgement.case):
            return True
        mapping = self._engine.index.find(use.api.rpartition(".")[0]) if use.form in _MEMBERS else None
        return mapping is not None and any(map(_is_of_another_package, mapping.cases))

    def _judged_member(self, use: ApiUse, assessment: Assessment) -> tuple[Left, str]:
        """What becomes of a member of a value that is left as it stands."""
        judgement = assessment.judgement
        owner, _, name = use.api.rpartition(".")
        has = self._engine.mindspore.has
        for root, counterparts in _COUNTERPARTS.items():
            if torch_facts().is_subclass(owner, root):
                is_there = any(has(f"{one}.{name}") for one in counterparts)
                is_told = judgement.verdict is Verdict.DIFFERS and not judgement.silent
                if is_there and is_told and not judgement.depends_on:
                    return Left.READY, ""  # what differs is what is done with it
        return Left.UNSURE, assessment.reason

    def _is_recorded(self) -> bool:
        if self._records is None:
            self._records = needs_recording(
                self._steps.of(path)
                for path in sorted(self._ported)
                if "backward" in self._project.text(path)
            )
        return self._records


def _marked_afterwards(use: ApiUse) -> ApiUse:
    """A use as a recorded program writes it: what makes a tensor with `requires_grad=True` makes it without, and it is
    marked for gradients then."""
    if use.call is None:
        return use
    return msgspec.structs.replace(use, call=without_gradient_flag(use.api, use.call))


def _is_of_another_package(case: Case | None) -> bool:
    """Whether a case writes a call of a package that has nothing to do with either framework."""
    if case is None or not case.rewrite or not case.imports:
        return False
    packages = {statement.split()[1].partition(".")[0] for statement in case.imports}
    return not packages & {"mindspore", "numpy"} and not packages & sys.stdlib_module_names


def _doubt(use: ApiUse, judgement: Judgement) -> str:
    """Why an unsafe fix may not do; empty where it is as good as a safe one as far as running goes: it was run on the
    target and agreed, so that it is unsafe for the sake of a few uses only, it takes something out, or it only writes
    what is handed on. A function that ran without its gradient may have none."""
    case, evidence = judgement.case, judgement.evidence
    if evidence is None or not evidence.is_proof:
        is_harmless = use.form is Form.VALUE or (case is not None and case.rewrite in _LEAVING_OUT)
        return "" if is_harmless else say("not proved by a run on this target")
    if (
        _gives_tensors(use, judgement)
        and evidence.oracle == _WITHOUT_GRADIENT
        and case is not None
        and case.fix != "safe"
    ):
        return say("it was run without its gradient only")
    return ""


def _gives_tensors(use: ApiUse, judgement: Judgement) -> bool:
    """Whether a use calls a function that has a gradient, if its values have one."""
    if use.form not in (Form.CALL, Form.METHOD) or judgement.form not in ("function", "method"):
        return False
    return torch_facts().returns(use.api).kind in (ReturnKind.TENSOR, ReturnKind.TUPLE)
