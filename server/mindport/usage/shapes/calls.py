"""What calls do to shapes: operators of torch and MindSpore, and the functions of Python that hand numbers on."""

from __future__ import annotations

import ast

from mindport.model.language import later
from mindport.usage.header import dotted_name
from mindport.usage.places import Selection, Topic
from mindport.usage.shapes.expressions import ExpressionWalker
from mindport.usage.shapes.operators import (
    BROADCASTING,
    COMPARISONS,
    COUNTS,
    GATHERS,
    KEEPING,
    KNOWN_BY_NAME,
    NONZERO,
    REDUCTIONS,
    RESULTS,
    SCALARS,
    SCATTERS,
    SEGMENT_SUMS,
    SIZE_KEYWORDS,
    SIZES,
    TRANSPOSITIONS,
    Parameter,
)
from mindport.usage.shapes.values import (
    FIRST,
    NUMBER,
    OF_A_TENSOR,
    OTHER,
    RANDOM,
    TENSOR,
    Known,
    What,
    element,
    joined,
    number_from,
    sequence,
    sequence_of,
    varying,
)

_TENSOR_OWNERS = ("torch.Tensor", "mindspore.Tensor")
_OPERATOR_OWNERS = (
    "torch", "torch.nn.functional", "torch.special", "torch.linalg", "torchvision.ops", "torch.nn.utils.rnn",
    "torchvision.ops.boxes", "mindspore.ops", "mindspore.mint", "mindspore.mint.nn.functional", "mindspore.numpy",
    "mindspore", "mindspore.ops.function", "torch.ops.torchvision",
)  # fmt: skip
_DROP_LAST = 8  # its place among the arguments of DataLoader
_NUMBERS = frozenset(("int", "float", "bool", "round", "abs"))
_JOINING = frozenset(("min", "max", "sum", "pow", "divmod"))
# Packages whose functions a graph leaves MindSpore for -> the construct.
_OUTSIDE = {"math": "math", "np": "numpy-of-item", "numpy": "numpy-of-item"}
_RANDOM_MODULES = ("random", "np.random", "numpy.random")


class Arguments:
    """The evaluated arguments of one call, without the receiver of a method."""

    def __init__(self, node: ast.Call, walker: ExpressionWalker, receiver: Known | None) -> None:
        self.nodes: list[ast.expr] = list(node.args)
        self.positional = [walker.value(one) for one in node.args]
        self.keywords = {one.arg: walker.value(one.value) for one in node.keywords if one.arg}
        self.is_open = len(self.keywords) < len(node.keywords) or any(
            isinstance(one, ast.Starred) for one in node.args
        )
        self.receiver = receiver
        self.all = [*([] if receiver is None else [receiver]), *self.positional]

    def of(self, parameter: Parameter) -> Known | None:
        """The value that reaches a parameter; None where it is left out."""
        if parameter.name in self.keywords:
            return self.keywords[parameter.name]
        return self.all[parameter.place] if parameter.place < len(self.all) else None

    @property
    def values(self) -> list[Known]:
        """All of them."""
        return [*self.all, *self.keywords.values()]


class CallWalker(ExpressionWalker):
    """Expressions with their calls."""

    def _call(self, node: ast.Call) -> Known:
        callee = node.func
        api = self.api(callee)
        owner, _, name = api.rpartition(".")
        receiver: Known | None = None
        if isinstance(callee, ast.Attribute) and (not api or owner in _TENSOR_OWNERS):
            receiver = self.value(callee.value)
            if not api and receiver.is_tensor:
                owner, name = _TENSOR_OWNERS[0], callee.attr
            elif owner == _TENSOR_OWNERS[0] and not receiver.is_tensor:
                receiver = TENSOR
        elif not isinstance(callee, (ast.Name, ast.Attribute)):
            self.value(callee)
        arguments = Arguments(node, self, receiver if owner in _TENSOR_OWNERS else None)
        if api == "torch.utils.data.DataLoader":
            self._loader(node, arguments)
            return OTHER
        if owner in _TENSOR_OWNERS and not (name.lower() in ("tensor", "") and receiver is None):
            return self._operator(node, name, arguments)
        if owner in _OPERATOR_OWNERS and name:
            return self._operator(node, name, arguments)
        if api.endswith((".Tensor", ".tensor")):
            return TENSOR
        return self._python(node, arguments, receiver)

    def _loader(self, node: ast.Call, arguments: Arguments) -> None:
        """A DataLoader that keeps a smaller last batch."""
        given = {one.arg: one.value for one in node.keywords}
        size = given.get("batch_size", node.args[1] if len(node.args) > 1 else None)
        if size is None or (isinstance(size, ast.Constant) and size.value in (1, None)):
            return
        if arguments.is_open or "batch_sampler" in given or len(node.args) > _DROP_LAST:
            return
        drop = given.get("drop_last")
        if drop is None or (isinstance(drop, ast.Constant) and drop.value is False):
            self.note(Topic.LAST_BATCH, node.func, "DataLoader")

    # -- Python

    def _python(self, node: ast.Call, arguments: Arguments, receiver: Known | None) -> Known:
        callee = node.func
        first = arguments.positional[0] if arguments.positional else OTHER
        name = (
            callee.id
            if isinstance(callee, ast.Name)
            else callee.attr
            if isinstance(callee, ast.Attribute)
            else ""
        )
        if isinstance(callee, ast.Name) and name not in self.environment:
            return self._builtin(node, name, first, arguments)
        if isinstance(callee, ast.Attribute):
            if receiver is not None and receiver.what is What.SHAPE and name == "numel":
                return Known(What.NUMBER, receiver.cause)
            dotted = ".".join(dotted_name(callee) or ())
            if dotted.rpartition(".")[0] in _RANDOM_MODULES and name not in (
                "shuffle",
                "seed",
                "permutation",
            ):
                return number_from(RANDOM)
            root = dotted.partition(".")[0]
            if self.compiled and root in _OUTSIDE and any(value.is_data for value in arguments.values):
                self.note(Topic.GRAPH, node, _OUTSIDE[root], self.compiled)
            if root == "math":
                return Known(What.NUMBER, _cause_of_numbers(arguments.values))
            if name in KNOWN_BY_NAME:
                return varying(f"how much `{name}` gives")
            if name == "append" and isinstance(callee.value, ast.Name) and receiver is not None:
                self._append(callee.value.id, receiver, first)
        return OTHER

    def _append(self, name: str, receiver: Known, item: Known) -> None:
        if receiver.what is What.SEQUENCE:
            self.environment[name] = sequence_of(_extended(receiver, item))

    def _builtin(self, node: ast.Call, name: str, first: Known, arguments: Arguments) -> Known:
        if name in _NUMBERS:
            if first.is_tensor:
                return number_from(f"`{self.text(node)}`, the value of a tensor")
            return Known(What.NUMBER, first.cause if first.what is What.NUMBER else "")
        if name == "len":
            varies = first.cause and (first.axes is None or 0 in first.axes)
            return Known(What.NUMBER, first.cause if first.is_tensor and varies else "")
        if name in _JOINING:
            return self._extreme(node, name, arguments)
        if name == "range":
            if self.compiled and any(value.is_tensor for value in arguments.values):
                self.note(Topic.GRAPH, node, "range-of-tensor", self.compiled)
            return sequence_of(Known(What.NUMBER, _cause_of_numbers(arguments.values)))
        if name == "enumerate":
            return sequence_of(sequence((NUMBER, element(first))))
        if name == "zip":
            return sequence_of(sequence(element(value) for value in arguments.positional))
        if name in ("list", "tuple", "reversed", "sorted", "iter"):
            return (
                first
                if first.what is What.SEQUENCE
                else sequence_of(element(first))
                if arguments.all
                else sequence(())
            )
        if name in KNOWN_BY_NAME:
            return varying(f"how much `{name}` gives")
        return OTHER

    def _extreme(self, node: ast.Call, name: str, arguments: Arguments) -> Known:
        """min(k, n), and the length of the longest item of a batch."""
        values = arguments.positional
        if len(values) == 1:
            argument = node.args[0]
            if name == "max" and _measures_items(argument):
                return number_from(later("the longest item of the batch"))
            values = [element(values[0])]
        if any(value.is_tensor for value in values):
            return TENSOR
        return Known(What.NUMBER, _cause_of_numbers(values))

    # -- operators

    def _operator(self, node: ast.Call, name: str, arguments: Arguments) -> Known:
        """The result of an operator, by its name; notes what makes its shape vary."""
        first = arguments.all[0] if arguments.all else OTHER
        self._look(node, name, arguments)
        if name in ("item", "tolist"):
            cause = f"`{self.text(node)}`, the value of a tensor"
            return number_from(cause) if name == "item" else sequence_of(number_from(cause))
        if name in ("size", "numel", "dim", "nelement"):
            return self._measured(node, name, first)
        found = self._data_dependent(node, name, arguments)
        if found is not None:
            return found
        if name in COUNTS or name in SIZES:
            return self._made(name, arguments, node)
        if name in GATHERS:
            index = arguments.of(GATHERS[name][0])
            return varying(index.cause, index.axes) if index is not None and index.cause else TENSOR
        return self._passed_on(node, name, arguments)

    def _data_dependent(self, node: ast.Call, name: str, arguments: Arguments) -> Known | None:
        """The result of an operator whose length the data decide; None for any other."""
        words = f"how much `{name}` gives"
        first = arguments.all[0] if arguments.all else OTHER
        by = Selection.MASK if first.what is What.MASK else Selection.VALUES
        if name == "where" and len(arguments.all) == 1 and not arguments.keywords and not arguments.is_open:
            self.note(Topic.RESULT, node, name, by=by)
            return sequence_of(varying(words))
        if name == "nonzero" and "as_tuple" in arguments.keywords:
            self.note(Topic.RESULT, node, name, by=by)
            return sequence_of(varying(words))
        if name == "repeat_interleave":
            repeats = arguments.of(Parameter("repeats", 1))
            if repeats is None or not repeats.is_data or "output_size" in arguments.keywords:
                return None
            self.note(Topic.RESULT, node, name)
            return varying(words, None)
        if name == "one_hot":
            classes = arguments.of(Parameter("num_classes", 1)) or arguments.of(Parameter("depth", 1))
            if classes is not None or arguments.is_open:
                return None
            self.note(Topic.RESULT, node, name)
            return varying(words, frozenset((-1,)))
        if name not in RESULTS:
            return None
        if name == "masked_select":
            mask = arguments.of(Parameter("mask", 1)) or OTHER
            fits = mask.origin and mask.origin == first.origin
            by = Selection.FITTING if fits else Selection.MASK
        elif name not in NONZERO:
            by = Selection.NONE
        self.note(Topic.RESULT, node, name, by=by)
        result = varying(words, RESULTS[name])
        extras = [key for key in ("return_inverse", "return_counts") if key in arguments.keywords]
        if name.startswith("unique") and extras:
            rest = [Known(What.TENSOR) if key == "return_inverse" else result for key in extras]
            return sequence((result, *rest))
        return sequence((result, result)) if name == "pad_packed_sequence" else result

    def _look(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """Note arguments that make the result of an ordinary operator vary."""
        for parameter in COUNTS.get(name, ()):
            value = arguments.of(parameter)
            cause = _cause_of_size(value)
            if cause:
                self.note(Topic.COUNT, node, name, cause)
                return
        for parameter in SEGMENT_SUMS.get(name, ()):
            cause = _cause_of_size(arguments.of(parameter))
            if cause:
                self.note(Topic.SEGMENTS, node, name, cause)
        if name in SCATTERS and arguments.all and arguments.all[0].cause:
            self.note(Topic.SEGMENTS, node, name, arguments.all[0].cause)
        for parameter in GATHERS.get(name, ()):
            value = arguments.of(parameter)
            if value is not None and value.is_tensor and value.cause:
                self.note(Topic.INDEX, node, name, value.cause)
        if name == "pad_sequence":
            self.note(Topic.BATCH, node, name, "the longest item of the batch")
        if name in TRANSPOSITIONS or name in REDUCTIONS:
            self._look_at_axes(node, name, arguments)
        if name in SIZES:
            cause = _size_cause(name, arguments)
            if cause:
                topic = Topic.BATCH if "longest item" in cause else Topic.SIZE
                self.note(topic, node, name, cause)

    def _look_at_axes(self, node: ast.Call, name: str, arguments: Arguments) -> None:
        """A reduction or transposition along an axis that varies."""
        axes = [
            arguments.keywords[key] for key in ("dim", "axis", "dims", "axes") if key in arguments.keywords
        ]
        rest = arguments.all[1:]
        # torch.max(x, y) compares two tensors.
        axes += rest if name in TRANSPOSITIONS else rest[:1]
        for value in axes:
            cause = value.cause if value.what is What.NUMBER else _cause_of_items(value)
            if cause:
                self.note(Topic.AXIS, node, name, cause)
                return

    def _measured(self, node: ast.Call, name: str, first: Known) -> Known:
        """x.size(0), x.numel(): numbers that vary where the shape does."""
        if name in ("numel", "nelement"):
            return Known(What.NUMBER, first.cause)
        if name == "dim":
            return NUMBER
        place = node.args[0] if node.args else None
        if place is None:
            return Known(What.SHAPE, first.cause, first.axes)
        return self._size_of(Known(What.SHAPE, first.cause, first.axes), place)

    def _made(self, name: str, arguments: Arguments, node: ast.Call) -> Known:
        """What is made with a size, or cut into a number of parts."""
        first = arguments.all[0] if arguments.all else OTHER
        cause = _size_cause(name, arguments) if name in SIZES else ""
        for parameter in COUNTS.get(name, ()):
            cause = cause or _cause_of_size(arguments.of(parameter))
        if name in ("split", "chunk", "tensor_split"):
            return sequence_of(varying(cause or first.cause, None) if cause or first.cause else TENSOR)
        made = varying(cause, None) if cause else TENSOR
        if not cause and name in ("view", "reshape", "repeat", "tile") and first.cause:
            # What varied is spread over the axes, and may lie in any of them.
            made = Known(What.TENSOR, first.cause) if _has_minus_one(node) else TENSOR
        if name == "topk":
            return sequence((made, made))
        if not cause and name in SIZES and SIZES[name][0] == 0 and _literals(node):
            return Known(What.TENSOR, form=f"{[ast.unparse(one) for one in node.args]}")
        return made

    def _passed_on(self, node: ast.Call, name: str, arguments: Arguments) -> Known:
        """An operator that takes the shape of its inputs on, or loses it."""
        first = arguments.all[0] if arguments.all else OTHER
        tensors = [value for value in arguments.values if value.is_tensor]
        if name in COMPARISONS:
            return self.elementwise(What.MASK, arguments.values)
        if name in REDUCTIONS:
            return self._reduced(node, name, first, arguments)
        if name in SCALARS:
            return TENSOR
        if name in KEEPING:
            what = (
                What.MASK
                if first.what is What.MASK and name in ("clone", "detach", "contiguous")
                else What.TENSOR
            )
            if _becomes_bool(node):
                what = What.MASK
            origin = 0 if name in BROADCASTING else first.origin
            return Known(what, first.cause, first.axes, form=first.form, origin=origin)
        if name in ("cat", "concat", "concatenate", "hstack", "vstack", "stack"):
            items = first.items if first.what is What.SEQUENCE else ()
            cause = next((item.cause for item in items if item.is_tensor and item.cause), "")
            is_mask = bool(items) and all(item.what is What.MASK for item in items)
            return Known(What.MASK if is_mask else What.TENSOR, cause)
        if name in ("flatten", "ravel", "squeeze", "unsqueeze", "t", *TRANSPOSITIONS):
            return Known(first.what if first.is_tensor else What.TENSOR, first.cause)
        if name in ("unbind", "meshgrid"):
            return sequence_of(TENSOR)
        if name == "where" and len(arguments.all) == 3:
            return self.elementwise(What.TENSOR, [*arguments.all])
        for value in tensors:
            if value.cause:
                return Known(What.TENSOR, value.cause)
        return TENSOR

    def _reduced(self, node: ast.Call, name: str, first: Known, arguments: Arguments) -> Known:
        """A reduction: of everything to one number, or along an axis."""
        axis = arguments.keywords.get("dim", arguments.keywords.get("axis"))
        places = [one.value for one in node.keywords if one.arg in ("dim", "axis")]
        rest = node.args if arguments.receiver is not None else node.args[1:]
        places += rest[:1]
        what = What.MASK if name in ("any", "all") else What.TENSOR
        if not places and axis is None:
            return TENSOR
        place = places[0].value if places and isinstance(places[0], ast.Constant) else None
        cause = first.cause if first.axes == FIRST and place not in (0, None) else ""
        form = f"{first.form}.{name}({ast.unparse(places[0])})" if first.form and places else ""
        result = Known(what, cause, FIRST if cause else None, form=form)
        pairs = name in ("max", "min", "median", "mode") and isinstance(place, int)
        return sequence((result, result)) if pairs else result


def _cause_of_numbers(values: list[Known]) -> str:
    return next((value.cause for value in values if value.what is What.NUMBER and value.cause), "")


def _cause_of_items(value: Known) -> str:
    return _cause_of_numbers(list(value.items)) if value.what is What.SEQUENCE else ""


def _cause_of_size(value: Known | None) -> str:
    """Why a size or number varies; empty where it does not."""
    if value is None:
        return ""
    if value.is_tensor:
        return OF_A_TENSOR
    return value.cause if value.what is What.NUMBER else _cause_of_items(value)


def _size_cause(name: str, arguments: Arguments) -> str:
    start, end = SIZES[name]
    places = arguments.all[start:] if end < 0 else arguments.all[start:end]
    given = [*places, *(value for key, value in arguments.keywords.items() if key in SIZE_KEYWORDS)]
    for value in given:
        if value.what is What.SHAPE:
            continue  # as large as something else: no new reason
        cause = value.cause if value.what is What.NUMBER else _cause_of_items(value)
        if cause:
            return cause
    return ""


def _extended(receiver: Known, item: Known) -> Known:
    return joined(element(receiver), item) if receiver.items else item


def _measures_items(node: ast.expr) -> bool:
    """max(len(x) for x in batch), max(x.shape[1] for x in batch), max(map(len, batch))."""
    if isinstance(node, (ast.GeneratorExp, ast.ListComp)):
        target = node.generators[0].target
        names = {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}
        measures = any(
            (isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "len")
            or (isinstance(one, ast.Attribute) and one.attr in ("shape", "size"))
            for one in ast.walk(node.elt)
        )
        return measures and any(isinstance(one, ast.Name) and one.id in names for one in ast.walk(node.elt))
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "map"
        and bool(node.args)
        and isinstance(node.args[0], ast.Name)
        and node.args[0].id == "len"
    )


def _has_minus_one(node: ast.Call) -> bool:
    return any(isinstance(one, ast.UnaryOp) for argument in node.args for one in ast.walk(argument))


def _literals(node: ast.Call) -> bool:
    return bool(node.args) and all(isinstance(one, (ast.Constant, ast.Tuple, ast.List)) for one in node.args)


def _becomes_bool(node: ast.Call) -> bool:
    """x.to(torch.bool), zeros_like(x, dtype=torch.bool)."""
    given = [*node.args, *(one.value for one in node.keywords if one.arg in ("dtype", None))]
    return any(isinstance(one, ast.Attribute) and one.attr in ("bool", "bool_") for one in given)
