"""Places in code that no single torch name stands for: a slice whose bound is a tensor's value, a statement that a
graph cannot hold. Rules of their own speak for them."""

from __future__ import annotations

import enum

import msgspec

from mindport.model.span import Span


class Topic(enum.Enum):
    """What a place is about; each has its rule."""

    RESULT = "result"  # an operator whose result is as long as the data say: unique, nonzero, masked_select
    MASK = "mask"  # x[mask]
    SLICE = "slice"  # x[:k]
    COUNT = "count"  # topk, samples: how many there are of something
    INDEX = "index"  # as many elements as an index of varying length has
    SEGMENTS = "segments"  # segment sums, where the number of segments varies
    AXIS = "axis"  # reductions and transpositions
    SIZE = "size"  # a tensor's value becomes a size: zeros(n), view(n, -1)
    BRANCHES = "branches"  # `if` on a tensor's value, with results of different shapes
    BATCH = "batch"  # batches padded to their longest item, or not stacked at all
    LAST_BATCH = "last batch"  # a loader that keeps the smaller last batch
    GRAPH = "graph"  # a construct inside what is compiled; `name` is its entry in the registry
    SPARSE = "sparse"  # sparse tensors, sparse gradients
    DATA = "data"  # torch in code that only prepares data


class Selection(enum.Enum):
    """What an operator or index that selects elements goes by."""

    NONE = "none"  # it does not select
    VALUES = "values"  # those that are not zero
    MASK = "mask"  # truth values
    FITTING = "fitting"  # truth values, certainly as many in each axis as there are elements


class CodePlace(msgspec.Struct, frozen=True):
    """One such place. `text` is the code as the user wrote it, shortened; `name` the operator or construct; `cause`
    what makes the shape vary, to complete "it depends on ...". `by` says what elements are selected by."""

    topic: Topic
    span: Span
    text: str
    name: str = ""
    cause: str = ""
    by: Selection = Selection.NONE
    is_compiled: bool = False  # decorated with `jit`: a graph in every mode

    def shifted(self, lines: int) -> CodePlace:
        """The same place, further down."""
        return msgspec.structs.replace(self, span=self.span.shifted(lines))


class Caller(msgspec.Struct, frozen=True):
    """A function that calls another: its file, its name there, and where that stands."""

    path: str
    span: Span
    name: str


class CalledPlace(msgspec.Struct, frozen=True):
    """A place in a function that is compiled because another one calls it. `callers` lead to it, from the one that is
    compiled by itself."""

    place: CodePlace
    callers: tuple[Caller, ...]
