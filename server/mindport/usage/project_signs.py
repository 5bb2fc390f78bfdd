"""Signs of what a project may do anywhere, which no type of a value says: a tensor that comes from another file may be
complex, the name of a weight may have been listed there. Without any such sign in a project it does not. Others are
signs for their own file alone, where what comes from farther away is as rare as in torch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mindport.usage.ruled_out_classes import rules_classes_out
from mindport.usage.unfrozen_parameters import unfreezes_parameters
from mindport.usage.written_parameters import writes_to_given

OWN_FEATURES = "own features"
GRADIENTS = "gradients"
FLAGGED = "flagged"
WRITING = "writing"
EMPTINESS = "emptiness"
BYTE_MASKS = "byte masks"
UNFROZEN = "unfrozen"

_SIGNS = {
    # makes tensors of complex numbers, or asks for one
    "complex": (
        *(
            "fft",
            "stft",
            "_complex",
            ".complex",
            "complex(",
            "complex32",
            "complex64",
            "complex128",
            "polar(",
        ),
        *("cfloat", "cdouble", "chalf", ".eig", *(f"{digit}j" for digit in range(10))),
    ),
    # works with the bits of whole numbers, as those of bytes
    "bits": ("bitwise_", "torch.uint8", "ByteTensor", ".byte()"),
    # has numbers of double precision beside others
    "doubles": ("float64", "torch.double", ".double(", "DoubleTensor"),
    # lists weights or buffers with their names, or reads files that may have torch's
    "names": (
        *("named_parameters(", "named_buffers(", "torch.load(", "load_url(", "load_state_dict_from_url"),
        *("state_dict().items(", "state_dict().keys(", "state_dict().values("),
    ),
    # sets learning rates itself, or has schedules of its own, which may go through others (a warm-up)
    "rates": (
        *("_LRScheduler", "LRScheduler)"),
        *(
            f"[{quote}lr{quote}]{set_}"
            for quote in ("'", '"')
            for set_ in (" = ", "=", " *= ", " /= ", "*=", "/=")
        ),
    ),
    # has layers of its own that say how large they are, as torch's linear layers do
    OWN_FEATURES: ("self.in_features", "self.out_features"),
    # makes masks of bytes, as torch had them before it had truth values
    BYTE_MASKS: (".byte()", "ByteTensor"),
    # has norms of its own, which keep statistics under torch's names
    "statistics": tuple(
        f"{start}running_{name}"
        for start in ("register_buffer('", 'register_buffer("')
        for name in ("mean", "var")
    ),
}

_SIGNS_OF_FILES = {
    # has indices that MindSpore gives as int32, and torch as int64
    "indices": ("topk(", "sort(", "multinomial(", "argmin(", "kthvalue(", "cummin(", "Categorical("),
    # takes all axes of one element away, so that a list of one index is a number
    "squeezed": (".squeeze()", "torch.squeeze("),
    # has infinite numbers, as logarithms of zero are
    "infinite": ('inf")', "inf')", "math.inf", "np.inf", "numpy.inf", "torch.inf"),
    # asks whether a norm is zero
    "zeros": tuple(
        f"norm{end}{test}"
        for end in ("", "s", "()")
        for test in (" > 0", " == 0", " != 0", ">0", "==0", "!=0", ".gt(0", ".eq(0", ".ne(0")
    ),
    "torch": ("import torch", "from torch"),
    # makes tensors with no elements, to which others are joined
    "empty": (
        *(
            "empty(0",
            "empty((0,",
            "empty([0",
            "zeros(0",
            "zeros((0,",
            "zeros([0",
            "tensor([]",
            "Tensor([]",
            "Tensor()",
        ),
        *("Tensor(0)", ".new(0)", "defaultdict(torch.", "defaultdict(tensor"),
    ),
}

_DERIVATIVES = ("jacobian", "hessian", "vjp")
# Reads gradients of tensors, or asks for them. MindSpore takes those of functions and needs no mark on a tensor.
_OF_GRADIENTS = (
    re.compile(r"\.grad(?<!mindspore\.grad)\b"),
    re.compile(r"import(?<!\wimport)\b[^\n]*\bgrad\b"),
    re.compile(r"\n[ ]+grad,?[ ]*$", re.MULTILINE),
    *map(re.compile, ("retain_grad", *_DERIVATIVES)),
)

# Asks what is no function of torch for a tensor with a gradient, `ptu.zeros(1, requires_grad=True)`, or keeps the
# option for a call that it is handed to.
_OF_FLAGS = re.compile(
    r"""(?<![\w.])(?!torch\.|th\.|nn\.)(?:\w+\.)*(?!(?:Parameter|Variable|tensor)\b)\w+\((?:[^()]|\([^()]*\))*?
    \brequires_grad[ ]*=[ ]*(?!False\b|=)|['"]requires_grad['"]\s*(?:\][ ]*=(?!=)|:)[ ]*(?!False\b)""",
    re.VERBOSE,
)

# Sets the weight of a layer that another object holds, asks for its axes, hands it to a convolution or compares its
# axes with those of what a file holds: the weight of a layer over one axis has an axis more in MindSpore. A layer's
# own, `self.weight`, is that of a class with torch's axes.
_OF_KERNELS = (
    re.compile(
        r"""\.weight(?<!\bself\.weight)(_v|_orig)?(\.data)?(['"]\])?[ ]*
        (=(?!=)|\[|\.(copy_|dim|flip|ndim|ndimension|permute|reshape|shape|size|squeeze|t|T|transpose|view)\b)""",
        re.VERBOSE,
    ),
    re.compile(r"conv(_transpose)?1d\([^()]*\.weight\b"),
    re.compile(r"\.shape[ ]*[!=]=[ ]*\w+\[\w+\]\.(shape|size\(\))"),
    re.compile(r"\.size\(\)[ ]*[!=]=[ ]*\w+\[\w+\]\.(shape|size\(\))"),
)

# Sets what a norm normalises with on a layer that is built already, which MindSpore's read once. On `self` it is what a
# class of the project keeps for its own.
_OF_SETTINGS = (
    re.compile(r"\.eps(?<!\bself\.eps)[ ]*[-+*/]?=(?!=)"),
    re.compile(r"\.momentum(?<!\bself\.momentum)[ ]*[-+*/]?=(?!=)"),
    re.compile(r"setattr(?<!\wsetattr)\([^\n]*,[ ]*['\"](eps|momentum)['\"]"),
)

# Has layers that keep cells of their own inside in MindSpore, which are no layers in torch.
_OF_INNER = re.compile(r"\b(?:BatchNorm3d|LSTM|GRU|RNN)\b")

# Builds layers without a bias, or takes it from one.
_OF_NO_BIAS = (
    re.compile(r"bias(?<![.\w]bias)[ ]*=[ ]*(?!True\b|=)"),
    re.compile(r"\.bias[ ]*=[ ]*None"),
    re.compile(r"Linear(?<!\wLinear)\([^()\n]*,[ ]*False\b"),
    re.compile(r"Conv(?<!\wConv)\w+\([^()\n]*,[ ]*False\b"),
)

# Works with the bits of whole numbers, each of which `~` turns: by shifts, by a mask that is written as a number.
_OF_BITS = (
    *(
        re.compile(rf"{sign}(?:(?<=[\w)\]]{sign})|(?<=[\w)\]][ ]{sign}))=?[ ]*{beside}")
        for sign, beside in (("<<", r"[\w(]"), (">>", r"[\w(]"), ("&", r"\d"))
    ),
    re.compile(r"~[\w.]+\.(?:int|long|short)\("),
    re.compile(r"~[\w.]+(?:\(\))?[ ]*[-+][ ]*\d"),
)

# Keeps an array of NumPy under a name, the largest of which is one of its numbers.
_OF_ARRAYS = re.compile(r"\b(\w+)[ ]*=[ ]*(?:np|numpy)\.(?:array|asarray|bincount|cumsum|diff|fromiter)\(")


# Tells a layer how large its result shall be, which of torch's only transposed convolutions take beside one input:
# `self.up(x, output_size=size)`, `self.up(x, skip.size())`. Functions, and layers that are built for a size, have other
# names.
_OF_SIZES = re.compile(
    r"""(?P<called>[\w.\]]+)\(\s*(?:input\s*=\s*)?(?:[\w.\[\]]+|[\w.]+\([^()]*\)),\s*
    (?:output_size\s*=(?!=)|output_size\s*\)|[\w.]+\.size\(\)|[\w.]+\.shape\b)""",
    re.VERBOSE,
)
_SIZED_OTHERWISE = re.compile(r"(?:^|\.)(?:F\.|functional\.|[Aa]daptive|fold|interpolate|[Uu]psample)")

# Takes what is left to 1 of a square, the logarithm of what is left to 1, or the hyperbolic area tangent: where a
# hyperbolic tangent is not exact near 1, or above it, these are far off or nothing at all.
_OF_LEFT_TO_ONE = re.compile(
    r"""\b(?:1(?:\.0*)?[ ]*-[ ]*[^\n]*?(?:\.pow\([ ]*2|\*\*[ ]*2|square\()|log(?:10|2)?\([^\n]*\b1(?:\.0*)?[ ]*-|
    log1p\([ ]*-|a(?:rc)?tanh\b)""",
    re.VERBOSE,
)

# Seeds below zero, or above 32 bits: drawn, hashed, or of a clock. An option without a type is text, where it is given.
_OF_SEEDS = (
    re.compile(
        r"seed\w*(?:\(|\s*=\s*)[^;\n]*?"
        r"(?:randint\(\s*-|\bhash\(|time\(\)\s*\*|time_ns\(|urandom\()"
    ),
    re.compile(
        r"add_argument\((?:\s*['\"]-\w+['\"],)?\s*['\"]--\w*seed['\"](?:(?!\btype\b|\baction\b)[^()]|\([^()]*\))*\)"
    ),
)

# Joins what is under the names of a table, as the counts and losses of a step.
_OF_TABLES = re.compile(
    r"(?:stack|cat|concat)\(\s*(?:\[[\w.]+\[(\w+)\]\s+for\s+\1\s+in\s+(?:sorted\(|[\w.]*(?:key|name))|"
    r"(?:list|tuple)\([\w.]+\.values\(\)\))"
)
# Gives layers lists as sizes of what they slide over their inputs, or compares these with lists.
_OF_LISTS = re.compile(r"\b(stride|kernel_size|dilation)s?['\"]?[ ]*(=|:|==|!=)[ ]*\[")

# Asks whether a tensor has any element, or a list of boxes any of them, or makes tensors that have none: an image with
# nothing in it, a mask that selects nothing.
_ZERO_OR_LESS = r"[ ]*(?:(?:[!=]=|>|<=)[ ]*0\b|(?:<|>=)[ ]*1\b)"
_COUNTS = r"\.(?:numel\(\)|nelement\(\)|size\(0\)|shape\[0\])"
_OF_THINGS = r"anno|box|\bgt|_gt|target|pos_|inds|indices|keep|\bdets?\b|detections|objects|match"
_OF_EMPTINESS = (
    re.compile(rf"\.(?:numel|nelement)\(\)(?:{_ZERO_OR_LESS}|[ ]*:|[ ]and\b|[ ]or\b)"),
    re.compile(rf"\.(?:size\(0\)|shape\[0\]){_ZERO_OR_LESS}"),
    re.compile(rf"(?:if|not)(?<!\wif)(?<!\wnot)[ ]+[\w.]+{_COUNTS}[ ]*[:)]"),
    re.compile(
        rf"len\((?<!\wlen\()[\w.\[\]'\"]*(?:{_OF_THINGS})[\w.\[\]'\"]*\){_ZERO_OR_LESS}", re.IGNORECASE
    ),
    re.compile(r"(?:empty|zeros)\((?:\(0,|\[0,|0,[ ]*\d)"),
)
_ASKED_FOR_ELEMENTS = ("numel()", "nelement()", "size(0)", "shape[0]", "len(", "empty(", "zeros(")
# Calls experts with the tokens that were routed to each, of which there may be none.
_OF_EXPERTS = re.compile(r"expert\w*(?:\[\w+\])?\([ ]*[\w.]+(?:\[|[ ]*\))", re.IGNORECASE)
_ROUTED = ("torch.where(", "nonzero(", "mask", "bincount(")


def project_signs(text: str) -> frozenset[str]:
    """What a text is a sign of for its whole project, by the names that conditions of mappings have for it: `$bits`,
    `$complex`, `$doubles`, `$emptiness`, `$gradients`, `$names`, `$kernels`, `$inner`, `$settings`, `$statistics`,
    `$unbiased`, `$lengths`, `$lists`, `$rates`, `$ruled_out`, `$seeds`, `$sized`, `$unfrozen`."""
    found = set(_signs(_SIGNS, text))
    if any(sign in text for sign in ("grad", *_DERIVATIVES)) and _has_any(_OF_GRADIENTS, text):
        found.add(GRADIENTS)
    if "requires_grad" in text and _OF_FLAGS.search(text):
        found.add(FLAGGED)
    if any(sign in text for sign in (".weight", "].shape", "].size()")) and _has_any(_OF_KERNELS, text):
        found.add("kernels")
    if ("eps" in text or "momentum" in text) and _has_any(_OF_SETTINGS, text):
        found.add("settings")
    if any(sign in text for sign in ("BatchNorm3d", "LSTM", "GRU", "RNN")) and _OF_INNER.search(text):
        found.add("inner")
    if "[" in text and _OF_LISTS.search(text):
        found.add("lists")
    if ("bias" in text or "False" in text) and _has_any(_OF_NO_BIAS, text):
        found.add("unbiased")
    if ("ConvTranspose" in text or "output_size" in text) and any(map(_is_sized, _OF_SIZES.finditer(text))):
        found.add("sized")
    if rules_classes_out(text):
        found.add("ruled_out")
    if unfreezes_parameters(text):
        found.add(UNFROZEN)
    if any(sign in text for sign in ("<<", ">>", "&", "~")) and _has_any(_OF_BITS, text):
        found.add("bits")
    if "seed" in text and _has_any(_OF_SEEDS, text):
        found.add("seeds")
    has_arrays = "max(" in text and ("np." in text or "numpy." in text)
    arrays = dict.fromkeys(_OF_ARRAYS.findall(text)) if has_arrays else ()
    if any(f"max({name})" in text or f"{name}.max()" in text for name in arrays):
        found.add("lengths")
    if "import torch" in text or "from torch" in text:
        found.update({WRITING} if writes_to_given(text) else ())
        asks = any(asked in text for asked in _ASKED_FOR_ELEMENTS) and _has_any(_OF_EMPTINESS, text)
        has_experts = "xpert" in text and any(sign in text for sign in _ROUTED)
        if asks or (has_experts and _OF_EXPERTS.search(text)):
            found.add(EMPTINESS)
    return frozenset(found)


def file_signs(text: str) -> frozenset[str]:
    """What a text is a sign of for itself, by the names that conditions of mappings have for it, such as
    `$indices`."""
    found = set(_signs(_SIGNS_OF_FILES, text))
    if ("stack(" in text or "cat(" in text) and _OF_TABLES.search(text):
        found.add("tables")
    if "tanh" in text and _OF_LEFT_TO_ONE.search(text):
        found.add("saturated")
    return frozenset(found)


def _has_any(patterns: Iterable[re.Pattern[str]], text: str) -> bool:
    """Whether one of the patterns is found. Each begins with a word, which is looked for as fast as a text is read: one
    that begins with what stands before the word, or with a choice, is tried at every letter."""
    return any(pattern.search(text) for pattern in patterns)


def _signs(table: Mapping[str, tuple[str, ...]], text: str) -> frozenset[str]:
    return frozenset(name for name, signs in table.items() if any(sign in text for sign in signs))


def _is_sized(call: re.Match[str]) -> bool:
    return not _SIZED_OTHERWISE.search(call["called"])
