"""Weighs what is done with a value that nothing else tells about: is it a tensor, a module, an optimizer or neither?

Weights are log odds in steps of about a factor of two. They follow from whose members a name is among, and from how
often such names were seen on tensors in running programs where several classes share them. However much members speak
for a tensor, other classes have the same ones (arrays, sparse matrices, classes of anyone's own), so they alone only
make a guess, which nothing is fixed by, but for a few that are torch's alone; what is more than that comes from torch,
which takes or gives the value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import cache, lru_cache

from mindport.usage import python_model, torch_model
from mindport.usage.array_members import ARRAY_MEMBERS
from mindport.usage.types import GUESSED, INFERRED, TENSORS, UNKNOWN, Tag, Type, make

CERTAIN = 3.0  # from here on INFERRED, where torch has its hands in it
LIKELY = 2.0  # from here on GUESSED
# What speaks for a tensor because of what torch does with it, not because of what its members are called.
_SAID_BY_TORCH = frozenset(
    ("@tensor", "@isinstance_tensor", "@annotated_tensor", "@module_input", "@module_result", "@from_torch")
)

# Name, with () where it is called -> weight for a tensor, where membership alone misleads.
_TENSOR_WEIGHTS: dict[str, float] = {
    "shape": 3.0, "dtype": 2.0, "device": 1.2, "ndim": 3.0, "data": 1.0, "T": 2.0, "real": 1.0,
    "imag": 2.0, "grad": 3.0,
    "requires_grad": 4.0, "is_cuda": 4.0, "layout": 0.5, "is_sparse": 2.0, "grad_fn": 4.0, "is_leaf": 2.0, "name": -1.5,
    "names": -2.0, "itemsize": 0.5, "nbytes": 0.5, "H": -1.0, "mT": 4.0, "mH": 4.0, "volatile": 0.0,
    "retains_grad": 4.0,
    "to()": 1.2, "cuda()": 1.0, "cpu()": 2.5, "float()": 3.0, "half()": 1.5, "double()": 2.0, "bfloat16()": 1.5,
    "type()": 1.0, "apply()": -2.0, "size()": 5.0, "dim()": 4.5, "numel()": 5.0, "item()": 3.5, "tolist()": 2.0,
    "norm()": -1.0, "split()": 0.0, "relu()": -1.0, "values()": -2.5, "indices()": 0.0, "log()": 0.0, "add()": -1.5,
    "index()": -1.5, "copy()": -1.5, "count()": -2.0, "pop()": -4.0, "clip()": 1.0, "ceil()": 1.0,
    "round()": 1.5, "sqrt()": 3.0,
    "exp()": 2.5, "sub()": 0.5, "mul()": 2.0, "to_dense()": 0.0, "logsumexp()": 2.0, "normal_()": 4.0, "sort()": 1.0,
    "inverse()": 0.0, "resize()": -2.0, "solve()": -1.0, "cholesky()": 1.0, "mode()": 0.0,
    "select()": 0.0, "trace()": 0.0,
    "register_hook()": 2.0, "requires_grad_()": 2.0, "share_memory_()": 4.0, "backward()": 4.0,
    "numpy()": 3.5, "clone()": 4.0,
    "sum()": 2.5, "mean()": 2.5, "max()": 2.5, "min()": 2.5, "std()": 2.0, "var()": 2.0, "any()": 2.0, "all()": 2.0,
    "reshape()": 4.0, "transpose()": 3.5, "flatten()": 2.5, "squeeze()": 3.0, "repeat()": 3.5, "cumsum()": 3.0,
    "view()": 4.0, "argmax()": 2.5, "flip()": 1.5, "nonzero()": 2.5, "dot()": 1.5, "diagonal()": 1.5, "conj()": 1.5,
    "t()": 3.0, "long()": 4.5, "int()": 3.5, "bool()": 3.5, "detach()": 5.0, "sin()": 2.0, "cos()": 2.0,
    "sigmoid()": 2.5,
    "softmax()": 2.5, "where()": 1.0, "unique()": 1.5, "map_()": 0.0, "stride()": 2.0, "storage()": 1.0, "where": 0.0,
    "update()": -4.0, "isnan()": 2.0, "prod()": 2.0, "matmul()": 3.0, "floor()": 2.0, "pow()": 4.0,
    "abs()": 4.0, "new()": 3.0,
    "char()": 0.5, "short()": 1.0, "dense_dim()": 3.0, "coalesce()": 1.5, "gather()": 3.0,
    "scatter()": 2.5, "sign()": 2.0,
    "equal()": 2.0, "ne()": 3.0, "eq()": 3.0, "lt()": 2.0, "gt()": 2.0, "le()": 2.0, "ge()": 2.0,
    "dist()": 0.0, "diff()": 0.5,
    "cross()": 1.5, "tile()": 2.0, "unfold()": 3.0, "uniform_()": 4.0, "random_()": 4.0, "rename()": -1.0,
}  # fmt: skip
_MODULE_WEIGHTS: dict[str, float] = {
    "parameters()": 5.0, "named_parameters()": 5.0, "modules()": 5.0, "named_modules()": 5.0, "children()": 2.9,
    "named_children()": 5.0, "eval()": 4.0, "@eval_alone": 2.0, "train()": 3.0, "state_dict()": 2.0,
    "load_state_dict()": 2.8,  # a guess beside one layer of its own, but no more: other things have states, too
    "@loaded_strictly": 5.0, "@evaluates": -1.5,
    "zero_grad()": 2.0, "training": 4.0, "@named_network": 2.5,
    "register_buffer()": 5.0, "register_parameter()": 5.0, "add_module()": 4.5,
    "register_forward_hook()": 5.0, "register_forward_pre_hook()": 5.0, "buffers()": 4.0, "named_buffers()": 5.0,
    "get_submodule()": 4.5, "to()": 1.2, "cuda()": 1.5, "cpu()": 0.5, "half()": 1.0, "apply()": 1.0,
    "requires_grad_()": 2.0, "forward()": 2.0, "@called": 1.5, "weight": 2.5, "bias": 2.0, "in_features": 4.0,
    "out_features": 3.0, "in_channels": 3.0, "out_channels": 2.5, "kernel_size": 2.0, "named_parameters": 3.0,
    "reset_parameters()": 3.5, "float()": 0.5, "module": 1.5, "get_parameter()": 4.0, "_modules": 4.0,
    "_parameters": 4.0, "@network": 5.0, "@named_schedule": -5.0,
    "running_mean": 5.0, "running_var": 5.0, "flatten_parameters()": 5.0,
}  # fmt: skip
_OPTIMIZER_WEIGHTS: dict[str, float] = {
    "step()": 2.0, "zero_grad()": 3.0, "param_groups": 5.0, "add_param_group()": 5.0, "state_dict()": 1.5,
    "load_state_dict()": 2.5, "state": 0.5, "@named_optimizer": 1.5, "@named_schedule": -5.0, "@stepped": 1.0,
    "@step_with_value": -3.0,  # of an environment, or a schedule
}  # fmt: skip
# What code does with a value besides asking for members.
_TENSOR_SIGNS: dict[str, float] = {
    "@forward": 2.0, "@tensor_index": 4.0, "@text_index": -6.0, "@called": -6.0, "@iterated": -0.5, "@len": -0.5,
    "@range": -5.0, "@int": -0.5, "@float": 0.0, "@str": -1.0, "@mapping": -6.0, "@starred": -1.0, "@matmul": 4.0,
    "@with_tensor": 1.0, "@equals_text": -4.0, "@contains": -2.0, "@isinstance_tensor": 3.0, "@unpacked": -0.5,
    "@tensor": 5.0, "@tensors": -3.0, "@network": -6.0, "@perhaps_tensor": 1.5, "@module_input": 4.0,
    "@module_result": 2.0, "@not_tensor": -5.0, "@array": -2.5, "@data": -2.5, "@refused_by_tensors": -6.0,
    "@annotated_tensor": 5.0, "@named_optimizer": -3.0, "@named_schedule": -3.0, "@evaluates": -6.0,
    "@axis_size": 2.0, "@along_axis": 4.0, "@norm_by_order": 4.0, "@norm_alone": 3.0, "@bool": -0.5, "@next": -1.0,
    "@iter": -1.0,
}  # fmt: skip
# What hardly any class but torch's tensors has; of such a value nothing else can be meant.
_OF_TENSORS_ALONE = frozenset(
    f"{name}()"
    for name in (
        "new_zeros", "new_ones", "new_full", "new_empty", "new_tensor", "view_as", "expand_as", "reshape_as", "type_as",
        "index_add_", "index_fill_", "index_copy_", "scatter_add_", "masked_fill_", "masked_scatter_", "unsqueeze_",
        "squeeze_", "clamp_", "clamp_min_", "clamp_max_", "normal_", "uniform_", "bernoulli_", "addmm_", "addcmul_",
        "addcdiv_", "retain_grad",
    )
)  # fmt: skip
# A draw that gradients go through: hardly any class but torch's distributions has one.
_OF_DISTRIBUTIONS = "rsample()"
_DISTRIBUTION = "torch.distributions.Distribution"
_OF_NETWORKS = frozenset(
    ("children()", "modules()", "named_children()", "named_modules()")
)  # they list layers
# `net.eval()`, and `train()` of what is called a network.
_OF_SOME_NETWORK = frozenset(("@eval_alone", "@named_network"))
# `trainer.train()` trains, and changes no mode, and some optimizers have modes, too.
_WITH_MODES_OF_THEIR_OWN = frozenset(("@named_optimizer", "@named_runner", "@stepped"))
_MODES = frozenset(("train()", "eval()", "@eval_alone"))
_MORE_THAN_A_GUESS = _SAID_BY_TORCH | _OF_TENSORS_ALONE
_ENOUGH = 8.0
_ONLY_THEIRS = 5.0  # of a member that hardly any other class has
_REMARKABLE = 3.0  # of a member that few other classes have
_TELLING = frozenset(("@called", "step()"))  # beside a remarkable one
_MEMBER = 0.5  # of any other member
_OF_ITS_OWN = -0.7  # of what only the user's class has


@cache
def tensor_weight(use: str) -> float:
    """How much one use speaks for a tensor (above zero) or against it."""
    if use[0] == "@":
        return _TENSOR_SIGNS.get(use, 0.0)
    known = _TENSOR_WEIGHTS.get(use)
    if known is not None:
        return known
    if use[0] == "=":
        return 1.5 if use[1:] in ("data", "requires_grad", "grad") else -2.0
    is_called = use.endswith("()")
    name = use[:-2] if is_called else use
    if name not in torch_model.TENSOR_MEMBER_NAMES:
        return -3.0 if name.startswith("_") else -6.0
    if name.startswith("__"):
        return 0.0
    if not is_called:
        return -1.5  # a method that is not called is seldom one of a tensor
    if name.endswith("_"):
        return 5.0
    if any(name in python_model.MEMBERS[tag] for tag in (Tag.STR, Tag.DICT, Tag.SEQUENCE, Tag.SET)):
        return -0.5
    return 2.0 if name in ARRAY_MEMBERS else 4.5


def is_used_as_no_array(uses: Iterable[str]) -> bool:
    """Whether a value is asked for a member that tensors have and arrays do not."""
    names = {use.removesuffix("()") for use in uses}
    return not (names & torch_model.TENSOR_MEMBER_NAMES) <= ARRAY_MEMBERS


def goes_for_arrays(uses: Set[str]) -> bool:
    """Whether what is done with a value is done with arrays, too, and nothing of it is torch's work."""
    return uses.isdisjoint(_SAID_BY_TORCH) and not is_used_as_no_array(uses)


def _weight(use: str, table: dict[str, float], members: frozenset[str]) -> float:
    known = table.get(use)
    if known is not None:
        return known
    if use[0] in "@=":
        return 0.0 if use not in ("@tensor", "@text_index", "@tensor_index", "@range") else -4.0
    name = use.removesuffix("()")
    return _MEMBER if name in members else _OF_ITS_OWN


_MODULE_MEMBERS = frozenset(torch_model.members(torch_model.MODULE_CLASS))
_OPTIMIZER_MEMBERS = frozenset(torch_model.members(torch_model.OPTIMIZER_CLASS))


def is_told_by_members(uses: Set[str]) -> bool:
    """Whether nothing but its members speaks for a tensor, of which any class may have the same."""
    return _MORE_THAN_A_GUESS.isdisjoint(uses)


@lru_cache(maxsize=65536)
def decided(uses: frozenset[str], prior: float) -> Type:
    """The type that the uses speak for; UNKNOWN where they do not speak clearly enough.

    `prior` is what is known of the value besides (its name, what it comes from)."""
    tensor = prior + _sum(map(tensor_weight, uses))
    if tensor >= LIKELY:
        is_more_than_a_guess = tensor >= CERTAIN and not uses.isdisjoint(_MORE_THAN_A_GUESS)
        return TENSORS[INFERRED if is_more_than_a_guess else GUESSED]
    if _OF_DISTRIBUTIONS in uses:
        return make(Tag.INSTANCE, _DISTRIBUTION, level=GUESSED)
    others = uses if uses.isdisjoint(_WITH_MODES_OF_THEIR_OWN) else uses - _MODES
    for_module = {use: _weight(use, _MODULE_WEIGHTS, _MODULE_MEMBERS) for use in others}
    for_optimizer = {use: _weight(use, _OPTIMIZER_WEIGHTS, _OPTIMIZER_MEMBERS) for use in uses}
    module, optimizer = _spoken(for_module), _spoken(for_optimizer)
    if module >= optimizer and module >= LIKELY:
        return make(Tag.INSTANCE, torch_model.MODULE_CLASS, level=_level(for_module))
    if optimizer >= LIKELY:
        return make(Tag.INSTANCE, torch_model.OPTIMIZER_CLASS, level=_level(for_optimizer))
    return UNKNOWN


def _level(weights: Mapping[str, float]) -> int:
    """How sure it is that a value is a module or an optimizer, by the weights of what is done with it. One member that
    others have, too (`frame.eval()`), is no more than a guess; that two of those that are remarkable come together by
    chance, or one with a call of the value itself, is not to be expected."""
    is_more_than_a_guess = _is_no_chance(weights) or max(weights.values()) >= _ONLY_THEIRS
    return INFERRED if is_more_than_a_guess and _spoken(weights) >= CERTAIN else GUESSED


def _is_no_chance(weights: Mapping[str, float]) -> bool:
    told = sum(
        weight >= _REMARKABLE or (weight > _MEMBER and use in _TELLING) for use, weight in weights.items()
    )
    return told > 1


def _spoken(weights: Mapping[str, float]) -> float:
    """What the uses come to. A class of the user's own has members of its own, however many: where chance is not to be
    expected, they count no more than two. Layers that a network is asked for by name (`net.layer1`) beside
    `net.children()` count no more than one, and where its mode is set no more than five."""
    own = [use for use, weight in weights.items() if weight == _OF_ITS_OWN]
    kept = [weight for weight in weights.values() if weight != _OF_ITS_OWN]
    if _is_no_chance(weights):
        del own[2:]
    elif not _OF_NETWORKS.isdisjoint(weights):
        called = [use for use in own if use.endswith("()")]
        own = called or own[:1]
    elif not _OF_SOME_NETWORK.isdisjoint(weights):
        del own[5:]
    return _sum([*kept, *[_OF_ITS_OWN] * len(own)])


def _sum(weights: Iterable[float]) -> float:
    """Evidence adds up, but no single kind of it without end."""
    positive = negative = 0.0
    for weight in weights:
        if weight > 0:
            positive += weight
        else:
            negative += weight
    return min(positive, _ENOUGH) + max(negative, -_ENOUGH)
