"""How Python's own types, builtins and usual packages behave, as far as it tells tensors from others."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Mapping, Sequence
from functools import cache

from mindport.usage import torch_model
from mindport.usage.types import (
    ARRAY,
    ARRAYS,
    BOOL,
    BYTES,
    CALLABLE,
    DEQUE,
    FLOAT,
    INT,
    NDARRAY,
    NONE,
    NUMBER,
    NUMERIC,
    OF_MINDSPORE,
    OTHER,
    PARAMETER,
    SET,
    SLICE,
    STR,
    UNKNOWN,
    UNKNOWN_DICT,
    UNKNOWN_SEQUENCE,
    Tag,
    Type,
    dict_of,
    make,
    sequence_of,
    tuple_of,
)

BUILTINS = frozenset(dir(builtins))
# A star import may bring another `max` or `round`. Nobody gives these away under another meaning, and without them
# neither classes nor attributes can be followed.
LANGUAGE_WORDS = frozenset(
    {"super", "isinstance", "issubclass", "type", "object", "getattr", "setattr", "hasattr", "len"}
)
_BUILTIN_TYPES: dict[str, Type] = {
    "int": INT, "float": FLOAT, "complex": NUMBER, "bool": BOOL, "str": STR, "bytes": BYTES, "list": UNKNOWN_SEQUENCE,
    "tuple": UNKNOWN_SEQUENCE, "dict": UNKNOWN_DICT, "set": SET, "frozenset": SET, "slice": SLICE, "type": CALLABLE,
    "bytearray": BYTES, "range": sequence_of(INT),
}  # fmt: skip
_BUILTIN_RESULTS: dict[str, Type] = {
    **_BUILTIN_TYPES, "len": INT, "isinstance": BOOL, "issubclass": BOOL, "hasattr": BOOL, "callable": BOOL,
    "any": BOOL,
    "all": BOOL, "id": INT, "hash": INT, "ord": INT, "chr": STR, "repr": STR, "hex": STR, "bin": STR, "input": STR,
    "format": STR, "print": NONE, "open": OTHER, "object": OTHER, "divmod": tuple_of((NUMBER, NUMBER)),
    "dir": sequence_of(STR), "vars": UNKNOWN_DICT, "globals": UNKNOWN_DICT, "locals": UNKNOWN_DICT,
    "property": CALLABLE, "memoryview": OTHER, "setattr": NONE, "delattr": NONE,
}  # fmt: skip


def builtin(name: str) -> Type:
    """The builtin `name` as a value; the constants have their own types."""
    if name in ("NotImplemented", "Ellipsis"):
        return OTHER
    return make(Tag.BUILTIN, name)


def builtin_instance(name: str) -> Type:
    """An instance of the builtin class `name`, as in an annotation."""
    if name in ("None", "NoneType"):
        return NONE
    if name == "object":
        return UNKNOWN
    return _BUILTIN_TYPES.get(name, OTHER)


# -- packages

_NUMPY_ROOTS = frozenset({"numpy", "np", "jax", "cupy"})
# What makes an array whatever it is given; what is computed of arrays may be a number.
_NUMPY_MAKERS = frozenset(
    {
        "arange",
        "array",
        "asarray",
        "ascontiguousarray",
        "atleast_1d",
        "atleast_2d",
        "concatenate",
        "diag",
        "empty",
        "empty_like",
        "eye",
        "full",
        "full_like",
        "fromiter",
        "hstack",
        "identity",
        "linspace",
        "logspace",
        "ones",
        "ones_like",
        "repeat",
        "stack",
        "tile",
        "vstack",
        "zeros",
        "zeros_like",
    }
)
# What gives a float64, which is a float of Python, too, for any number.
_OF_NUMBERS = frozenset(
    f"numpy.{name}"
    for name in (
        "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin",
        "arccos", "arctan", "sinh", "cosh", "tanh", "deg2rad", "rad2deg", "radians", "degrees", "float64",
    )
)  # fmt: skip
_OTHER_ROOTS = frozenset(
    [
        "scipy", "pandas", "cv2", "PIL", "skimage", "sklearn", "matplotlib", "tqdm", "yaml",
        "omegaconf", "hydra", "requests", "psutil", "loguru", "wandb", "mlflow", "h5py", "lmdb",
        "pycocotools", "tensorboardX", "tensorboard", "absl", "attr", "attrs", "pydantic", "msgspec",
        "rich", "click", "typer", "setuptools", "packaging", "regex", "sentencepiece", "tokenizers",
        "nltk", "spacy", "networkx", "sympy", "numba", "joblib", "safetensors", "huggingface_hub",
        "onnx", "onnxruntime", "tensorflow", "jsonargparse", "fire", "imageio", "av", "decord",
        "librosa", "soundfile", "ftfy", "gdown", "termcolor", "tabulate", "prettytable", "psycopg2",
        "pytest", "parameterized", "seaborn", "plotly", "moviepy", "gym", "gymnasium", "ray",
        "yacs", "ml_collections", "visdom", "nibabel", "SimpleITK", "pydicom", "gensim", "jieba", "shapely", "trimesh",
        "pydub", "resampy", "zarr", "xarray", "rdkit", "optuna", "hyperopt", "toml", "tomli", "ruamel", "dm_control",
    ]
)  # fmt: skip
_STANDARD = frozenset(sys.stdlib_module_names) - {
    "typing",
    "functools",
    "itertools",
    "copy",
    "contextlib",
    "collections",
    # What goes through these comes out as it is.
    "concurrent",
    "heapq",
    "multiprocessing",
    "queue",
}
# Of Python's own what has anything for its attributes, tensors, too.
_HOLDERS = frozenset({"types.SimpleNamespace", "argparse.Namespace", "threading.local", "weakref.ref"})
_FIRST_ARGUMENT = frozenset(
    {"copy.deepcopy", "copy.copy", "weakref.proxy",
     "einops.rearrange", "einops.repeat", "einops.reduce", "tqdm.tqdm", "tqdm.auto.tqdm",
     "tqdm.trange", "tqdm", "einops.einops.rearrange", "einops.einops.repeat", "typing.cast_value",
     "functools.wraps_value",
     "itertools.islice", "tqdm.notebook.tqdm", "rich.progress.track", "itertools.cycle", "contextlib.nullcontext"}
)  # fmt: skip
_TENSOR_EINSUM = frozenset({"einops.einsum", "einops.einops.einsum"})
_RESULTS: dict[str, Type] = {
    "math.floor": INT, "math.ceil": INT, "math.gcd": INT, "math.isnan": BOOL, "math.isinf": BOOL, "time.time": FLOAT,
    "time.perf_counter": FLOAT, "os.path.join": STR, "os.path.exists": BOOL, "os.path.basename": STR,
    "os.path.dirname": STR, "os.path.splitext": tuple_of((STR, STR)), "os.listdir": sequence_of(STR), "os.getcwd": STR,
    "os.getenv": STR, "random.random": FLOAT, "random.randint": INT, "random.uniform": FLOAT,
    "glob.glob": sequence_of(STR),
    "json.dumps": STR, "os.path.abspath": STR, "os.path.isfile": BOOL, "os.path.isdir": BOOL,
    "collections.defaultdict": UNKNOWN_DICT, "collections.Counter": dict_of(UNKNOWN, INT),
    "collections.deque": DEQUE,
    "einops.parse_shape": dict_of(STR, INT), "inspect.signature": OTHER, "warnings.warn": NONE,
    # Modules of the project, and what was stored by it: what is done with them tells.
    "importlib.import_module": UNKNOWN, "importlib.util.module_from_spec": UNKNOWN, "pydoc.locate": UNKNOWN,
    "pickle.load": UNKNOWN, "pickle.loads": UNKNOWN, "joblib.load": UNKNOWN,
    "hydra.utils.instantiate": UNKNOWN, "hydra.utils.call": UNKNOWN,
    "hydra.utils.get_class": UNKNOWN, "hydra.utils.get_method": UNKNOWN, "hydra.utils.get_object": UNKNOWN,
    "safetensors.torch.load_file": UNKNOWN, "safetensors.torch.load": UNKNOWN,
}  # fmt: skip


def is_standard(root: str) -> bool:
    """Whether the import root is part of Python."""
    return root in sys.stdlib_module_names


def is_einops_layer(name: str) -> bool:
    """Whether the name is one of einops' layers for torch, which take a tensor and give one."""
    return name.startswith("einops.layers.torch.")


def external_member(base: Type, name: str) -> Type:
    """`base.name` for something of another package."""
    dotted = f"{base.name}.{name}"
    if base.name == "numpy" or base.name == "math":
        if name in ("pi", "inf", "nan", "e", "newaxis"):
            return FLOAT if name != "newaxis" else NONE
    elif base.name == "sys" and name == "argv":
        return sequence_of(STR)
    elif base.name == "os" and name == "environ":
        return dict_of(STR, STR)
    return make(Tag.EXTERNAL, dotted)


def external_call(name: str, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """What calling the dotted name of another package gives."""
    if name in _FIRST_ARGUMENT:
        return positional[0] if positional else UNKNOWN
    known = _RESULTS.get(name)
    if known is not None:
        return known
    root = name.partition(".")[0]
    if root == "math":
        return FLOAT
    if root == "mindspore" and not name.startswith("mindspore.dataset."):
        return OF_MINDSPORE
    if root in _NUMPY_ROOTS:
        if name == "numpy.nonzero" or (name == "numpy.where" and len(positional) == 1 and not keywords):
            return ARRAYS
        of_numbers = name in _OF_NUMBERS and positional and all(one.tag in NUMERIC for one in positional)
        return FLOAT if of_numbers else _numpy_result(name)
    if root == "einops":
        if is_einops_layer(name):
            return make(Tag.LIBRARY_VALUE, name)
        if name in _TENSOR_EINSUM:
            return positional[0] if positional else UNKNOWN
        if name == "einops.pack":
            return tuple_of((_element_or_unknown(positional), UNKNOWN_SEQUENCE))
        if name == "einops.unpack":
            return sequence_of(positional[0]) if positional else UNKNOWN
        return UNKNOWN
    if root == "itertools":
        return _itertools_result(name, positional)
    if name in ("functools.partial", "functools.partialmethod"):
        return make(Tag.METHOD, "functools.partial", (positional[0],)) if positional else CALLABLE
    if name in ("random.sample", "random.choices"):
        return sequence_of(_element_or_unknown(positional))
    if name == "random.choice":
        return _element_or_unknown(positional)
    if name == "functools.reduce":
        return _element_or_unknown(positional[1:])
    if name == "collections.OrderedDict":
        return _made_dictionary(positional[0]) if positional else UNKNOWN_DICT
    if name in ("collections.namedtuple", "typing.NamedTuple"):
        return UNKNOWN
    if name == "typing.cast":
        return UNKNOWN
    if name in _WRITERS:
        return SUMMARY_WRITER
    if root in ("gym", "gymnasium") and (name == f"{root}.make" or GYM_ENVIRONMENT in positional[:1]):
        return GYM_ENVIRONMENT
    if name not in _HOLDERS and (root in _STANDARD or root in _OTHER_ROOTS):
        return external_value(root)
    return UNKNOWN


GYM_ENVIRONMENT = make(Tag.EXTERNAL_VALUE, "gym.Env")  # a single one, whose rewards are numbers
GYM_STEP = make(Tag.EXTERNAL_VALUE, "gym.Env.step")  # that method, and what it gives
# Has the methods of `torch.utils.tensorboard.SummaryWriter`, and takes tensors of torch as that does.
SUMMARY_WRITER = make(Tag.EXTERNAL_VALUE, "tensorboardX.SummaryWriter")
_WRITERS = frozenset({SUMMARY_WRITER.name, "tensorboardX.writer.SummaryWriter"})


@cache
def external_value(root: str) -> Type:
    """A value made by a package whose values are never tensors."""
    return make(Tag.EXTERNAL_VALUE, root)


def external_instance(name: str) -> Type:
    """An instance of a class of another package, as in an annotation."""
    root = name.partition(".")[0]
    if root in ("numpy", "np"):
        return NDARRAY if name.endswith(("ndarray", "NDArray", "ArrayLike")) else OTHER
    if (
        root in _STANDARD
        or root in _OTHER_ROOTS
        or root in ("collections", "functools", "contextlib", "itertools")
    ):
        if name.endswith(("OrderedDict", "defaultdict", "Mapping", "Dict", "Counter")):
            return UNKNOWN_DICT
        if name.endswith(("Sequence", "Iterable", "Iterator", "Generator", "deque")):
            return UNKNOWN_SEQUENCE
        return external_value(root)
    return UNKNOWN


@cache
def _numpy_result(name: str) -> Type:
    last = name.rpartition(".")[2]
    if last in ("shape",):
        return sequence_of(INT)
    if last in ("size", "ndim"):
        return INT
    return ARRAY if last in _NUMPY_MAKERS else NDARRAY


def _made_dictionary(source: Type) -> Type:
    """A dictionary made of another one, or of pairs."""
    if source.tag is Tag.DICT:
        return source
    pair = source.parts[0] if source.tag is Tag.SEQUENCE else UNKNOWN
    return dict_of(*pair.parts) if pair.tag is Tag.TUPLE and len(pair.parts) == 2 else UNKNOWN_DICT


def _element_or_unknown(values: Sequence[Type]) -> Type:
    if not values:
        return UNKNOWN
    first = values[0]
    return first.parts[0] if first.tag in (Tag.SEQUENCE, Tag.TUPLE) and first.parts else UNKNOWN


def _itertools_result(name: str, positional: Sequence[Type]) -> Type:
    last = name.rpartition(".")[2]
    if last in ("chain", "from_iterable", "accumulate", "takewhile", "filterfalse"):
        return positional[0] if positional else UNKNOWN
    if last == "count":
        return sequence_of(INT)
    if last == "repeat":
        return sequence_of(positional[0]) if positional else UNKNOWN
    if last in ("product", "combinations", "permutations", "zip_longest"):
        return sequence_of(tuple_of(_element_or_unknown([value]) for value in positional[:2]))
    return UNKNOWN


# -- members of Python's own types

_KEEP_ARRAYS = frozenset({"astype", "copy", "flatten", "ravel", "repeat", "reshape", "transpose"})
_STRING_LISTS = frozenset({"split", "rsplit", "splitlines"})
_STRING_NUMBERS = frozenset({"find", "rfind", "index", "count"})
_STRING_TUPLES = frozenset({"partition", "rpartition"})
MEMBERS: dict[Tag, frozenset[str]] = {
    Tag.STR: frozenset(dir(str)),
    Tag.BYTES: frozenset(dir(bytes)),
    Tag.INT: frozenset(dir(int)),
    Tag.FLOAT: frozenset(dir(float)),
    Tag.NUMBER: frozenset(dir(complex)),
    Tag.BOOL: frozenset(dir(bool)),
    Tag.SEQUENCE: frozenset(dir(list)) | frozenset(dir(tuple)),
    Tag.TUPLE: frozenset(dir(tuple)),
    Tag.DICT: frozenset(dir(dict)) | {"move_to_end", "most_common"},
    Tag.SET: frozenset(dir(set)),
    Tag.NONE: frozenset(),
}


def member_of_value(base: Type, name: str) -> Type:
    """`base.name` for a value of Python's own types; a METHOD where it is to be called."""
    if base.tag is Tag.NDARRAY:
        if name in ("shape", "strides"):
            return sequence_of(INT)
        if name in ("ndim", "size"):
            return INT
        if name in ("T", "real", "imag"):
            return base
        if name == "flat":
            return NDARRAY
        return make(Tag.METHOD, f"numpy.{name}", (base,))
    return make(Tag.METHOD, f"python.{name}", (base,))


def call_member(method: Type, positional: Sequence[Type]) -> Type:
    """What calling a METHOD of Python's own types gives."""
    receiver = method.parts[0]
    name = method.name.rpartition(".")[2]
    tag = receiver.tag
    if method.name == "functools.partial":
        return UNKNOWN
    if tag is Tag.STR:
        if name in _STRING_LISTS:
            return sequence_of(STR)
        if name in _STRING_NUMBERS:
            return INT
        if name in _STRING_TUPLES:
            return tuple_of((STR, STR, STR))
        if name.startswith(("is", "startswith", "endswith")):
            return BOOL
        return BYTES if name == "encode" else STR
    if tag is Tag.NDARRAY:
        if name in ("item",):
            return NUMBER
        if name == "tolist":
            return UNKNOWN_SEQUENCE
        if name == "nonzero":
            return ARRAYS
        return receiver if name in _KEEP_ARRAYS else NDARRAY
    if tag is Tag.DICT:
        key, value = receiver.parts[:2]
        if name == "items":
            return sequence_of(tuple_of((key, value)))
        if name == "keys":
            return sequence_of(key)
        if name == "values":
            return sequence_of(value)
        if name in ("get", "pop", "setdefault"):
            return value
        if name == "copy":
            return receiver
        return tuple_of((key, value)) if name == "popitem" else OTHER
    if tag in (Tag.SEQUENCE, Tag.TUPLE):
        if name in ("pop", "popleft"):
            return receiver.parts[0] if receiver.parts else UNKNOWN
        if name == "copy":
            return receiver
        return INT if name in ("index", "count") else NONE
    if tag in (Tag.INT, Tag.FLOAT, Tag.NUMBER):
        return BOOL if name == "is_integer" else OTHER
    return OTHER


def call_builtin(name: str, positional: Sequence[Type], element: Sequence[Type]) -> Type:
    """What calling the builtin gives; `element` are the types of the items of the arguments."""
    if positional:
        first = positional[0]
        if name in ("list", "tuple", "sorted", "reversed", "iter", "filter", "set"):
            if name == "filter":
                return sequence_of(element[1]) if len(element) > 1 else UNKNOWN
            if name == "tuple" and first.tag is Tag.TUPLE:
                return first
            return SET if name == "set" else sequence_of(element[0])
        if name == "enumerate":
            return sequence_of(tuple_of((INT, element[0])))
        if name == "zip":
            return sequence_of(tuple_of(element))
        if name == "next":
            return element[0]
        if name == "abs" or name == "round" or name == "pow":
            return first
        if name in ("sum", "max", "min"):
            if len(positional) > 1 and name != "sum":
                return _extreme(positional)
            return element[0]
        if name == "dict":
            return _made_dictionary(first)
        if name == "map":
            return UNKNOWN_SEQUENCE
        if name == "type":
            return type_of(first)
    return _BUILTIN_RESULTS.get(name, UNKNOWN)


def type_of(value: Type) -> Type:
    """What `type` gives for a value: the class of tensors for one that is no parameter of a network."""
    if value is UNKNOWN:
        return UNKNOWN
    is_plain = value.tag is Tag.TENSOR and value.name != PARAMETER.name
    return make(Tag.CLASS, torch_model.TENSOR_CLASS, level=value.level) if is_plain else CALLABLE


def _extreme(values: Sequence[Type]) -> Type:
    for value in values:
        if value.tag in (Tag.TENSOR, Tag.NDARRAY):
            return value
    if all(value is INT for value in values):
        return INT
    return values[0] if values[0].tag is not Tag.UNKNOWN else NUMBER
