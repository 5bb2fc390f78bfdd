"""What operators of torch and MindSpore do to shapes, and the places where they make one depend on data."""

from __future__ import annotations

import ast
from typing import Any

from mindport.semantics.domains.shapes.arguments import Passed, Selection, ShapePlaces
from mindport.semantics.domains.shapes.operators import (
    BROADCASTING,
    COMPARISONS,
    COUNTS,
    GATHERS,
    KEEPING,
    NONZERO,
    REDUCTIONS,
    RESULTS,
    SCALARS,
    SCATTERS,
    SEGMENT_SUMS,
    SIZE_KEYWORDS,
    SIZES,
    TRANSPOSITIONS,
    ArgumentPlace,
)
from mindport.semantics.domains.shapes.values import (
    FIRST,
    NUMBER,
    OTHER,
    TENSOR,
    Known,
    ValueKind,
    group_of,
    known,
    number_from,
    results,
    varying,
)
from mindport.source.trees import every_node

_TENSOR_OWNERS = ("torch.Tensor", "mindspore.Tensor")
_OPERATOR_OWNERS = (
    "torch", "torch.nn.functional", "torch.special", "torch.linalg", "torchvision.ops", "torch.nn.utils.rnn",
    "torchvision.ops.boxes", "mindspore.ops", "mindspore.mint", "mindspore.mint.nn.functional", "mindspore.numpy",
    "mindspore", "mindspore.ops.function", "torch.ops.torchvision",
)  # fmt: skip
_DROP_LAST = 8  # its place among the arguments of DataLoader


class TorchCalls(ShapePlaces):
    """Calls of torch and MindSpore."""

    def of_torch(self, api: str, passed: Passed) -> Any:
        """What a call of a name gives; NotImplemented where it is none of theirs."""
        owner, _, name = api.rpartition(".")
        if api == "torch.utils.data.DataLoader":
            self._loader(passed)
            return OTHER
        if owner in _TENSOR_OWNERS or (owner in _OPERATOR_OWNERS and name.lower() != "tensor"):
            return self._operator(name, passed)
        return TENSOR if api.endswith((".Tensor", ".tensor")) else NotImplemented

    def _loader(self, passed: Passed) -> None:
        """A DataLoader that keeps a smaller last batch."""
        given = passed.keywords
        size = given.get("batch_size", passed.all[1] if len(passed.all) > 1 else None)
        if (
            size is None
            or size == 1
            or passed.is_open
            or "batch_sampler" in given
            or len(passed.all) > _DROP_LAST
        ):
            return
        if given.get("drop_last", False) is False and passed.node is not None:
            self.note("last batch", passed.node.func, "DataLoader")

    def _operator(self, name: str, passed: Passed) -> Any:
        """The result of an operator, by its name; notes what makes its shape vary."""
        first, node = passed.first, passed.node
        self._look(name, passed)
        if name in ("item", "tolist"):
            cause = f"`{self.text(node)}`, the value of a tensor"
            return number_from(cause) if name == "item" else group_of(number_from(cause))
        if name in ("numel", "nelement"):
            return Known(ValueKind.NUMBER, first.cause)
        if name == "dim":
            return NUMBER
        if name == "size":
            shape = Known(ValueKind.SHAPE, first.cause, first.axes)
            return size_of(shape, passed.all[1]) if len(passed.all) > 1 else shape
        found = self._data_dependent(name, passed)
        if found is not None:
            return found
        if name in COUNTS or name in SIZES:
            return self._made(name, passed)
        if name in GATHERS:
            index = known(passed.of(GATHERS[name][0]))
            return varying(index.cause, index.axes) if index.cause else TENSOR
        return self._passed_on(name, passed)

    def _data_dependent(self, name: str, passed: Passed) -> Any:
        """The result of an operator whose length the data decide; None for any other."""
        words = f"how much `{name}` gives"
        first, node = passed.first, passed.node
        by: Selection = "mask" if first.what is ValueKind.MASK else "values"
        is_alone = len(passed.all) == 1 and not passed.keywords and not passed.is_open
        is_tuple = passed.keywords.get("as_tuple", False) is not False
        if (name == "where" and is_alone) or (name == "nonzero" and is_tuple):
            self.note("result", node, name, by=by)
            return group_of(varying(words))
        if name == "repeat_interleave":
            repeats = known(passed.of(ArgumentPlace("repeats", 1)))
            if not repeats.is_data or "output_size" in passed.keywords:
                return None
            self.note("result", node, name)
            return varying(words, None)
        if name == "one_hot":
            given = [passed.of(ArgumentPlace(one, 1)) for one in ("num_classes", "depth")]
            if given != [None, None] or passed.is_open:
                return None
            self.note("result", node, name)
            return varying(words, frozenset((-1,)))
        if name not in RESULTS:
            return None
        if name == "masked_select":
            mask = known(passed.of(ArgumentPlace("mask", 1)))
            by = "fitting" if mask.origin and mask.origin == first.origin else "mask"
        elif name not in NONZERO:
            by = "none"
        self.note("result", node, name, by=by)
        result = varying(words, RESULTS[name])
        extras = [key for key in ("return_inverse", "return_counts") if key in passed.keywords]
        if name.startswith("unique") and extras:
            return results(result, *(TENSOR if key == "return_inverse" else result for key in extras))
        return results(result, result) if name == "pad_packed_sequence" else result

    def _look(self, name: str, passed: Passed) -> None:
        """Note arguments that make the result of an ordinary operator vary."""
        node, first = passed.node, passed.first
        for parameter in COUNTS.get(name, ()):
            cause = passed.cause_of_size(passed.of(parameter))
            if cause:
                self.note("count", node, name, cause)
                return
        for parameter in SEGMENT_SUMS.get(name, ()):
            cause = passed.cause_of_size(passed.of(parameter))
            if cause:
                self.note("segments", node, name, cause)
        if name in SCATTERS and first.cause:
            self.note("segments", node, name, first.cause)
        for parameter in GATHERS.get(name, ()):
            value = known(passed.of(parameter))
            if value.is_tensor and value.cause:
                self.note("index", node, name, value.cause)
        if name == "pad_sequence":
            self.note("batch", node, name, "the longest item of the batch")
        if name in TRANSPOSITIONS or name in REDUCTIONS:
            self._look_at_axes(name, passed)
        if name in SIZES:
            cause = _size_cause(name, passed)
            if cause:
                self.note("batch" if "longest item" in cause else "size", node, name, cause)

    def _look_at_axes(self, name: str, passed: Passed) -> None:
        """A reduction or transposition along an axis that varies."""
        axes = [passed.keywords[key] for key in ("dim", "axis", "dims", "axes") if key in passed.keywords]
        # torch.max(x, y) compares two tensors.
        axes += passed.all[1:] if name in TRANSPOSITIONS else passed.all[1:2]
        for value in axes:
            number = known(value)
            cause = number.number_cause or passed.cause_of_items(value)
            if cause:
                self.note("axis", passed.node, name, cause)
                return

    def _made(self, name: str, passed: Passed) -> Any:
        """What is made with a size, or cut into a number of parts."""
        first, node = passed.first, passed.node
        cause = _size_cause(name, passed) if name in SIZES else ""
        for parameter in COUNTS.get(name, ()):
            cause = cause or passed.cause_of_size(passed.of(parameter))
        if name in ("split", "chunk", "tensor_split"):
            return group_of(varying(cause or first.cause, None) if cause or first.cause else TENSOR)
        made = varying(cause, None) if cause else TENSOR
        if not cause and name in ("view", "reshape", "repeat", "tile") and first.cause:
            # What varied is spread over the axes, and may lie in any of them.
            made = Known(ValueKind.TENSOR, first.cause) if _has_minus_one(node) else TENSOR
        if name == "topk":
            return results(made, made)
        if not cause and name in SIZES and SIZES[name][0] == 0 and node is not None and _literals(node):
            return Known(ValueKind.TENSOR, form=f"{[ast.unparse(one) for one in node.args]}")
        return made

    def _passed_on(self, name: str, passed: Passed) -> Any:
        """An operator that takes the shape of its inputs on, or loses it."""
        first = passed.first
        if name in COMPARISONS:
            return elementwise(ValueKind.MASK, passed.values)
        if name in REDUCTIONS:
            return self._reduced(name, passed)
        if name in SCALARS:
            return TENSOR
        if name in KEEPING:
            stays = first.what is ValueKind.MASK and name in ("clone", "detach", "contiguous")
            what = ValueKind.MASK if stays or _becomes_bool(passed.node) else ValueKind.TENSOR
            origin = 0 if name in BROADCASTING else first.origin
            return Known(what, first.cause, first.axes, form=first.form, origin=origin)
        if name in ("cat", "concat", "concatenate", "hstack", "vstack", "stack"):
            items = passed.parts(passed.all[0]) if passed.all else []
            cause = next((item.cause for item in items if item.is_tensor and item.cause), "")
            is_mask = bool(items) and all(item.what is ValueKind.MASK for item in items)
            return Known(ValueKind.MASK if is_mask else ValueKind.TENSOR, cause)
        if name in ("flatten", "ravel", "squeeze", "unsqueeze", "t", *TRANSPOSITIONS):
            return Known(first.what if first.is_tensor else ValueKind.TENSOR, first.cause)
        if name in ("unbind", "meshgrid"):
            return group_of(TENSOR)
        if name == "where" and len(passed.all) == 3:
            return elementwise(ValueKind.TENSOR, [known(one) for one in passed.all])
        cause = next((value.cause for value in passed.values if value.is_tensor and value.cause), "")
        return Known(ValueKind.TENSOR, cause)

    def _reduced(self, name: str, passed: Passed) -> Any:
        """A reduction: of everything to one number, or along an axis."""
        node, first = passed.node, passed.first
        axis = passed.keywords.get("dim", passed.keywords.get("axis", passed.of(ArgumentPlace("dim", 1))))
        if axis is None:
            return TENSOR
        place = axis if isinstance(axis, int) else None
        cause = first.cause if first.axes == FIRST and place not in (0, None) else ""
        what = ValueKind.MASK if name in ("any", "all") else ValueKind.TENSOR
        places = [] if node is None else [one.value for one in node.keywords if one.arg in ("dim", "axis")]
        if node is not None:
            places += (node.args if passed.is_method else node.args[1:])[:1]
        form = f"{first.form}.{name}({ast.unparse(places[0])})" if first.form and places else ""
        result = Known(what, cause, FIRST if cause else None, form=form)
        is_pair = name in ("max", "min", "median", "mode") and place is not None
        return results(result, result) if is_pair else result


def elementwise(what: ValueKind, values: list[Known]) -> Known:
    """The result of an operator that goes element by element: as long as its inputs."""
    origins = {value.origin for value in values if value.what is not ValueKind.NUMBER}
    origin = origins.pop() if len(origins) == 1 else 0
    for value in values:
        if value.is_tensor and value.cause:
            return Known(what, value.cause, value.axes, origin=origin)
    forms = {value.form for value in values if value.is_tensor}
    certain = len(forms) == 1 and all(value.is_tensor or value.what is ValueKind.NUMBER for value in values)
    return Known(what, form=forms.pop() if certain else "", origin=origin)


def size_of(shape: Known, place: Any) -> Known:
    """One size, or some of them."""
    if isinstance(place, slice):
        return shape
    varies = isinstance(place, int) and (shape.axes is None or place in shape.axes)
    return Known(ValueKind.NUMBER, shape.cause) if varies else NUMBER


def _size_cause(name: str, passed: Passed) -> str:
    start, end = SIZES[name]
    places = passed.all[start:] if end < 0 else passed.all[start:end]
    given = [*places, *(value for key, value in passed.keywords.items() if key in SIZE_KEYWORDS)]
    for value in given:
        number = known(value)
        if number.what is ValueKind.SHAPE:
            continue  # as large as something else: no new reason
        cause = number.number_cause or passed.cause_of_items(value)
        if cause:
            return cause
    return ""


def _has_minus_one(node: ast.Call | None) -> bool:
    nodes = [] if node is None else [one for argument in node.args for one in every_node(argument)]
    return any(isinstance(one, ast.UnaryOp) for one in nodes)


def _literals(node: ast.Call) -> bool:
    return bool(node.args) and all(isinstance(one, ast.Constant | ast.Tuple | ast.List) for one in node.args)


def _becomes_bool(node: ast.Call | None) -> bool:
    """x.to(torch.bool), zeros_like(x, dtype=torch.bool)."""
    if node is None:
        return False
    given = [*node.args, *(one.value for one in node.keywords if one.arg in ("dtype", None))]
    return any(isinstance(one, ast.Attribute) and one.attr in ("bool", "bool_") for one in given)
