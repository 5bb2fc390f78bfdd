"""How the usual packages besides torch behave, as far as it tells tensors from others."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache

from mindport.usage.python_model import element_or_unknown, made_dictionary
from mindport.usage.types import (
    ARRAY,
    ARRAYS,
    BOOL,
    CALLABLE,
    DEQUE,
    FLOAT,
    GUESSED,
    INT,
    NDARRAY,
    NONE,
    NUMERIC,
    OF_MINDSPORE,
    OTHER,
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
    {"copy.deepcopy", "copy.copy", "copy.replace", "dataclasses.replace", "weakref.proxy",
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
    "collections.defaultdict": UNKNOWN_DICT,
    "collections.deque": DEQUE,
    "einops.parse_shape": dict_of(STR, INT), "inspect.signature": OTHER, "warnings.warn": NONE,
    # Modules of the project, and what was stored by it: what is done with them tells.
    "importlib.import_module": UNKNOWN, "importlib.util.module_from_spec": UNKNOWN, "pydoc.locate": UNKNOWN,
    "runpy.run_path": UNKNOWN_DICT, "runpy.run_module": UNKNOWN_DICT,
    "pickle.load": UNKNOWN, "pickle.loads": UNKNOWN, "joblib.load": UNKNOWN,
    "hydra.utils.instantiate": UNKNOWN, "hydra.utils.call": UNKNOWN,
    "hydra.utils.get_class": UNKNOWN, "hydra.utils.get_method": UNKNOWN, "hydra.utils.get_object": UNKNOWN,
    "safetensors.torch.load_file": UNKNOWN, "safetensors.torch.load": UNKNOWN,
}  # fmt: skip
GYM_ENVIRONMENT = make(Tag.EXTERNAL_VALUE, "gym.Env")  # a single one, whose rewards are numbers
GYM_STEP = make(Tag.EXTERNAL_VALUE, "gym.Env.step")  # that method, and what it gives
# Has the methods of `torch.utils.tensorboard.SummaryWriter`, and takes tensors of torch as that does.
SUMMARY_WRITER = make(Tag.EXTERNAL_VALUE, "tensorboardX.SummaryWriter")
_WRITERS = frozenset({SUMMARY_WRITER.name, "tensorboardX.writer.SummaryWriter"})


def is_einops_layer(name: str) -> bool:
    """Whether the name is one of einops' layers for torch, which take a tensor and give one."""
    return name.startswith("einops.layers.torch.")


OF_ELEMENTS = frozenset(
    f"numpy.{name}"
    for name in (
        "abs", "absolute", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "cbrt", "ceil", "conj",
        "conjugate", "cos", "cosh", "deg2rad", "degrees", "exp", "exp2", "expm1", "fabs", "floor", "log", "log10",
        "log1p", "log2", "negative", "positive", "rad2deg", "radians", "reciprocal", "rint", "sign", "sin", "sinh",
        "sqrt", "square", "tan", "tanh", "trunc",
    )
)  # fmt: skip
"""The functions of NumPy that compute each element of what they get by itself, and give a tensor of torch for one."""

OF_TWO_ELEMENTS = frozenset(
    f"numpy.{name}"
    for name in (
        "add", "arctan2", "copysign", "divide", "float_power", "floor_divide", "fmax", "fmin", "fmod", "heaviside",
        "hypot", "logaddexp", "logaddexp2", "maximum", "minimum", "mod", "multiply", "power", "remainder", "subtract",
        "true_divide",
    )
)  # fmt: skip
"""Those that compute each element of two values, and give a tensor of torch where either is one."""


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


def member_of_external(base: Type, name: str) -> Type:
    """`base.name` for a value of another package: most often one more of its values. The table of pandas keeps arrays
    of NumPy, and the largest of a column is one of NumPy's numbers."""
    if base is GYM_ENVIRONMENT and name == "step":
        return GYM_STEP
    if base.name == "pandas" and name in _GIVE_NUMPY:
        return ARRAY if name == "values" else make(Tag.METHOD, f"numpy.{name}", (ARRAY,))
    return base


_GIVE_NUMPY = frozenset(("max", "min", "sum", "to_numpy", "values"))


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
        if (tensor := tensor_given(name, positional, keywords)) is not UNKNOWN:
            return tensor
        of_numbers = name in _OF_NUMBERS and positional and all(one.tag in NUMERIC for one in positional)
        return FLOAT if of_numbers else _numpy_result(name)
    if root == "einops":
        if is_einops_layer(name):
            return make(Tag.LIBRARY_VALUE, name)
        if name in _TENSOR_EINSUM:
            return positional[0] if positional else UNKNOWN
        if name == "einops.pack":
            return tuple_of((element_or_unknown(positional), UNKNOWN_SEQUENCE))
        if name == "einops.unpack":
            return sequence_of(positional[0]) if positional else UNKNOWN
        return UNKNOWN
    if root == "itertools":
        return _itertools_result(name, positional)
    if name in ("functools.partial", "functools.partialmethod"):
        return make(Tag.METHOD, "functools.partial", (positional[0],)) if positional else CALLABLE
    if name in ("random.sample", "random.choices"):
        return sequence_of(element_or_unknown(positional))
    if name == "random.choice":
        return element_or_unknown(positional)
    if name == "functools.reduce":
        return element_or_unknown(positional[1:])
    if name == "collections.Counter":
        return dict_of(element_or_unknown(positional), INT)
    if name == "collections.OrderedDict":
        return made_dictionary(positional[0]) if positional else UNKNOWN_DICT
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


def tensor_given(name: str, positional: Sequence[Type], keywords: Mapping[str, Type]) -> Type:
    """What a function of NumPy gives of torch: a tensor where it computes each element by itself and gets one;
    UNKNOWN where it gives none."""
    count = 0 if "out" in keywords else 1 if name in OF_ELEMENTS else 2 if name in OF_TWO_ELEMENTS else 0
    tensors = (one for one in positional[:count] if one.tag is Tag.TENSOR and one.level > GUESSED)
    return next(tensors, UNKNOWN)


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


def _itertools_result(name: str, positional: Sequence[Type]) -> Type:
    last = name.rpartition(".")[2]
    if last in ("chain", "from_iterable", "accumulate", "takewhile", "filterfalse"):
        return positional[0] if positional else UNKNOWN
    if last == "count":
        return sequence_of(INT)
    if last == "repeat":
        return sequence_of(positional[0]) if positional else UNKNOWN
    if last in ("product", "combinations", "permutations", "zip_longest"):
        return sequence_of(tuple_of(element_or_unknown([value]) for value in positional[:2]))
    return UNKNOWN
