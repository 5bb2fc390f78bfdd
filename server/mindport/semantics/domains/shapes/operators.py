"""What operators do to shapes, under the names that torch and MindSpore share. Which of them make a shape depend on
data is the migration guide's table; the rest says through which operators that reaches on."""

from __future__ import annotations

import msgspec

from mindport.model.language import later
from mindport.semantics.domains.shapes.values import FIRST

# The result is as long as the data say. Operator -> the axes that vary.
RESULTS: dict[str, frozenset[int] | None] = {
    "nonzero": FIRST,
    "argwhere": FIRST,
    "flatnonzero": FIRST,
    "masked_select": FIRST,
    "unique": FIRST,
    "unique_consecutive": FIRST,
    "nms": FIRST,
    "batched_nms": FIRST,
    "remove_small_boxes": FIRST,
    "bincount": FIRST,
    "pad_packed_sequence": None,
    "pack_padded_sequence": None,
    "to_padded_tensor": None,
}
NONZERO = frozenset(("nonzero", "argwhere"))  # of the elements that are not zero, where they are
RESULT_WORDS: dict[str, str] = {
    "nonzero": later("finds as many elements as are not zero"),
    "argwhere": later("finds as many elements as are not zero"),
    "flatnonzero": later("finds as many elements as are not zero"),
    "where": later("with a condition alone finds as many elements as it holds for"),
    "masked_select": later("keeps as many elements as the mask has true ones"),
    "unique": later("keeps as many values as are different"),
    "unique_consecutive": later("keeps as many values as are different from the one before"),
    "nms": later("keeps as many boxes as do not overlap"),
    "batched_nms": later("keeps as many boxes as do not overlap"),
    "remove_small_boxes": later("keeps as many boxes as are large enough"),
    "bincount": later("counts up to the largest value"),
    "pad_packed_sequence": later("is as long as the longest sequence of the batch"),
    "pack_padded_sequence": later("is as long as all sequences of the batch together"),
    "to_padded_tensor": later("is as long as the longest item"),
    "repeat_interleave": later("is as long as the repeats add up to"),
    "one_hot": later("without the number of classes has as many as the largest label"),
}
# Functions of a project under these names find indices in the way of torchvision's.
KNOWN_BY_NAME = frozenset(("nms", "batched_nms"))


class ArgumentPlace(msgspec.Struct, frozen=True):
    """Where a call has the argument: its place among the positional ones of the function, without a receiver."""

    name: str
    place: int


# How many there are of something.
COUNTS = {
    "topk": (ArgumentPlace("k", 1),),
    "multinomial": (ArgumentPlace("num_samples", 1),),
    "randperm": (ArgumentPlace("n", 0),),
    "choice": (ArgumentPlace("size", 1),),
    "random_choice_with_mask": (ArgumentPlace("count", 1),),
    "split": (ArgumentPlace("split_size_or_sections", 1), ArgumentPlace("split_size", 1)),
    "chunk": (ArgumentPlace("chunks", 1),),
    "tensor_split": (ArgumentPlace("indices_or_sections", 1),),
    "narrow": (ArgumentPlace("length", 3),),
}
# The sizes of what is made, as arguments one by one or as one tuple. -1 for "from here on".
SIZES = {
    **dict.fromkeys(("zeros", "ones", "empty", "rand", "randn", "arange", "eye"), (0, -1)),
    **dict.fromkeys(("full",), (0, 1)),
    **dict.fromkeys(("linspace", "logspace"), (2, 3)),
    **dict.fromkeys(("view", "reshape", "expand", "repeat", "tile", "broadcast_to", "resize_"), (1, -1)),
    **dict.fromkeys(("new_zeros", "new_ones", "new_empty"), (1, -1)),
    **dict.fromkeys(("new_full", "unflatten", "interpolate", "upsample", "pad"), (1, 2)),
    **dict.fromkeys(("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_max_pool2d"), (1, 2)),
    "one_hot": (1, 2),
    "randint": (2, 3),
}
SIZE_KEYWORDS = frozenset(
    (
        "size",
        "shape",
        "sizes",
        "num_classes",
        "output_size",
        "steps",
        "end",
        "start",
        "n",
        "depth",
        "minlength",
    )
)
SEGMENT_SUMS = {
    "unsorted_segment_sum": (ArgumentPlace("num_segments", 2),),
    "unsorted_segment_max": (ArgumentPlace("num_segments", 2),),
    "unsorted_segment_min": (ArgumentPlace("num_segments", 2),),
    "unsorted_segment_prod": (ArgumentPlace("num_segments", 2),),
}
SCATTERS = frozenset(
    (
        "scatter_add",
        "scatter_add_",
        "index_add",
        "index_add_",
        "scatter_reduce",
        "scatter_reduce_",
        "index_reduce_",
    )
)
GATHERS = {
    "index_select": (ArgumentPlace("index", 2),),
    "gather": (ArgumentPlace("index", 2),),
    "take": (ArgumentPlace("index", 1),),
    "take_along_dim": (ArgumentPlace("indices", 1),),
    "embedding": (ArgumentPlace("input", 0),),
}
REDUCTIONS = frozenset({
    "sum", "mean", "prod", "max", "min", "amax", "amin", "any", "all", "argmax", "argmin", "norm", "logsumexp",
    "std", "var", "median", "mode", "count_nonzero", "nansum", "nanmean",
})  # fmt: skip
SCALARS = frozenset(("dist", "dot", "cross_entropy", "mse_loss", "l1_loss", "nll_loss", "trace", "numel"))
TRANSPOSITIONS = frozenset(
    ("permute", "transpose", "swapaxes", "swapdims", "movedim", "moveaxis", "transpose_")
)
# Their results have the shape of the first input.
KEEPING = frozenset({
    "relu", "sigmoid", "tanh", "exp", "log", "sqrt", "abs", "neg", "clamp", "clip", "float", "half", "double",
    "long", "int", "to", "type", "type_as", "clone", "detach", "contiguous", "cpu", "cuda", "zeros_like",
    "ones_like", "empty_like", "full_like", "rand_like", "randn_like", "softmax", "log_softmax", "dropout", "sort",
    "argsort", "cumsum", "cumprod", "flip", "roll", "masked_fill", "masked_fill_", "round", "floor", "ceil", "sin",
    "cos", "requires_grad_", "astype", "div", "true_divide", "floor_divide", "remainder", "logical_not", "isnan",
})  # fmt: skip
# These of them may spread their first input over the axes of another one.
BROADCASTING = frozenset(("div", "true_divide", "floor_divide", "remainder", "masked_fill", "clamp", "clip"))
# Their results are truth values.
COMPARISONS = frozenset({
    "eq", "ne", "gt", "lt", "ge", "le", "greater", "less", "equal_to", "not_equal", "greater_equal", "less_equal",
    "isfinite", "isnan", "isinf", "isclose", "isin", "logical_and", "logical_or", "logical_not", "logical_xor",
    "bool",
})  # fmt: skip
