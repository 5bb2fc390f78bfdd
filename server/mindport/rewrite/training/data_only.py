"""Which values cannot depend on trained parameters: batches, what is made of them by torch alone, numbers.

What computes only such values may stay outside of the function that is differentiated."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from mindport.rewrite.training.events import Recogniser
from mindport.rewrite.training.flow import (
    Names,
    StatementPlace,
    changed_in_place,
    dotted_name,
    own_nodes,
    parts_named,
    suites,
    written,
)
from mindport.rewrite.training.step_parts import Scope, arguments_of
from mindport.source.trees import children, every_node
from mindport.source.written_names import last_name
from mindport.usage.api_use import Form

_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try)
_CUTS = frozenset(("detach", "item", "data", "numpy", "tolist", "cpu_data"))
_GRADIENT = frozenset(("requires_grad", "requires_grad_", "retain_grad"))
_BUILTINS = frozenset(
    (
        "len",
        "int",
        "float",
        "bool",
        "str",
        "range",
        "min",
        "max",
        "sum",
        "abs",
        "round",
        "list",
        "tuple",
        "dict",
        "set",
    )
) | frozenset(
    ("enumerate", "zip", "sorted", "print", "isinstance", "next", "iter", "tqdm", "Variable", "format")
)

_MAKES = frozenset(
    f"torch.{name}"
    for name in (
        *(
            "tensor",
            "from_numpy",
            "zeros",
            "ones",
            "full",
            "empty",
            "rand",
            "randn",
            "randint",
            "randperm",
            "arange",
        ),
        *("linspace", "eye", "normal", "bernoulli", "multinomial", "zeros_like", "ones_like", "full_like"),
        *("empty_like", "rand_like", "randn_like", "randint_like", "argmax", "argmin", "numel", "is_tensor"),
    )
)
_GIVES_ITSELF = frozenset(
    f"torch.nn.Module.{name}"
    for name in (
        *("train", "eval", "to", "cuda", "cpu", "xpu", "type", "float", "double", "half"),
        *("bfloat16", "apply", "requires_grad_", "share_memory"),
    )
)
_COMPUTING = (".functional.", ".Module.", ".utils.rnn.", ".parameters_to_vector", ".forward")
_ROOTS = frozenset(("np", "numpy", "math", "random", "time", "os", "datetime", "json"))


class DataOnly:
    """Follows assignments in the order of the text; `names` are those that hold data."""

    def __init__(self, recogniser: Recogniser, names: Iterable[str] = ()) -> None:
        self.names = {*names, *recogniser.tensor_types}
        self._recogniser = recogniser
        self._parts: dict[str, Names] = {}  # names for parts of other objects, with what they are parts of

    def take(self, statement: ast.stmt) -> bool:
        """Note what a statement assigns, or changes in place; says whether it computes nothing but data."""
        changes = self.changes(statement)
        is_data = self._take(statement)
        self._parts.update(parts_named(statement))
        if not is_data and not isinstance(statement, _BLOCKS):  # a block has seen to its statements
            self.names -= {name.partition(".")[0] for name in changes}
        return is_data

    def changes(self, statement: ast.stmt) -> Names:
        """What a statement may change without binding it, as dotted names, also by a function of the project that keeps
        what it is given: `decoder` in `decoder.set_memory(h)`, `cache` in `fill(cache, h)`."""
        found = changed_in_place(statement)
        for node in own_nodes(statement):
            if isinstance(node, ast.Call):
                found |= self._kept_by(node)
        parts = {**self._parts, **parts_named(statement)}
        return found.union(*(parts.get(name.partition(".")[0], frozenset()) for name in found))

    def _kept_by(self, call: ast.Call) -> Names:
        """Where a call may keep a value that depends on parameters: what its method belongs to, and its arguments."""
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name not in self._recogniser.value_keepers or self._recogniser.use(call.func) is not None:
            return frozenset()
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if given and all(map(self.is_data, given)):
            return frozenset()
        places = [*given, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
        return frozenset(name for place in places if (name := dotted_name(place)))

    def _take(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Assign):
            is_data = self.is_data(statement.value)
            for target in statement.targets:
                self._bind(target, is_data)
            return is_data
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            is_data = self.is_data(statement.value)
            self._bind(statement.target, is_data)
            return is_data
        if isinstance(statement, ast.AugAssign):
            is_data = self.is_data(statement.value) and self.is_data(_loaded(statement.target))
            self._bind(statement.target, is_data)
            return is_data
        if isinstance(statement, ast.Expr):
            self._free(statement.value)
            return self.is_data(statement.value)
        if isinstance(statement, _BLOCKS):
            return self._take_block(statement)
        for node in every_node(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.names.discard(node.id)
        return isinstance(statement, (ast.Pass, ast.Import, ast.ImportFrom, ast.Assert, ast.Raise))

    def _free(self, node: ast.expr) -> None:
        """Behind `loss.backward()` the loss is a number: its graph is gone, unless it is retained."""
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="backward"), args=[], keywords=[]):
                self.names.add(name)

    def _take_block(self, statement: ast.stmt) -> bool:
        """A compound statement computes nothing but data if nothing in it does."""
        if isinstance(statement, ast.For):
            self._bind(statement.target, self.is_data(statement.iter))
        before = set(self.names)
        answers = [self.take(one) for body in suites(statement) for one in body]
        is_data = all(answers)
        if not is_data:
            # Each branch may be the one that is run.
            for name in written(statement):
                self.names.discard(name)
        else:
            self.names |= before
        return is_data

    def bind(self, target: ast.expr) -> None:
        """The target of a loop over batches, or of anything else that is data."""
        self._bind(target, is_data=True)

    def _bind(self, target: ast.expr, is_data: bool) -> None:
        for node in every_node(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                if is_data:
                    self.names.add(node.id)
                else:
                    self.names.discard(node.id)

    def is_data(self, node: ast.expr | None) -> bool:
        """Whether the value of an expression cannot depend on parameters. False where it is not known."""
        if node is None or isinstance(node, (ast.Constant, ast.Lambda)):
            return True
        if isinstance(node, ast.Name):
            return node.id in self.names
        if isinstance(node, ast.Attribute):
            is_number = node.attr in ("data", "dtype", "device", "ndim") or node.attr.endswith(
                ("shape", "size")
            )
            if is_number and not self._recogniser.holds_graph(node):
                return True
            # An attribute of a value that is no batch: a setting as in `args.size`, or `self.weight`.
            return self.is_data(node.value) or is_setting(node) or ast.unparse(node).startswith("torch.")
        if isinstance(node, ast.Call):
            return self._is_data_call(node)
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            inside = DataOnly(self._recogniser, self.names)
            for part in node.generators:
                if not inside.is_data(part.iter):
                    return False
                inside.bind(part.target)
            return inside.is_data(node.elt)
        if isinstance(node, (ast.SetComp, ast.DictComp)):
            return False
        return all(self._is_data_part(child) for child in children(node))

    def _is_data_part(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Slice):
            return all(self.is_data(part) for part in (node.lower, node.upper, node.step))
        return not isinstance(node, ast.expr) or self.is_data(node)

    def _makes_data(self, node: ast.Call) -> bool:
        """Whether the result is data whatever is passed: what NumPy computes, what is random, a batch of a loader."""
        if isinstance(node.func, ast.Name):
            return node.func.id in ("next", "iter") or self._recogniser.api(node.func) in _MAKES
        root: ast.expr = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        return (isinstance(root, ast.Name) and root.id in _ROOTS) or self._recogniser.api(node.func) in _MAKES

    def _is_torch_call(self, node: ast.Call) -> bool:
        """Whether a function (not a method) of torch is called, which has no parameters of its own."""
        use = self._recogniser.use(node.func)
        if use is None:
            return isinstance(node.func, ast.Name) and node.func.id in self._recogniser.tensor_types
        is_layer = use.api.startswith("torch.nn.") and ".functional." not in use.api
        return use.form is Form.CALL and not is_layer

    def _is_data_call(self, node: ast.Call) -> bool:
        if isinstance(node.func, ast.Attribute) and node.func.attr in _CUTS:
            return True
        if any(keyword.arg in _GRADIENT and not _is_false(keyword.value) for keyword in node.keywords):
            return False
        if self._makes_data(node):
            return True
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        values = [one.value if isinstance(one, ast.Starred) else one for one in arguments]
        # A device or a dtype says nothing of the value.
        if not all(self.is_data(one) or _is_place(one) for one in values):
            return False
        use = self._recogniser.use(node.func)
        if self._is_torch_call(node) or (isinstance(node.func, ast.Name) and node.func.id in _BUILTINS):
            return True
        if use is not None and use.form is Form.CALL:
            return False  # a layer, or an optimizer
        return (
            isinstance(node.func, ast.Attribute)
            and node.func.attr not in _GRADIENT
            and self.is_data(node.func.value)
            and not is_setting(node.func.value)
        )


def data_before(place: StatementPlace, scope: Scope, recogniser: Recogniser) -> DataOnly:
    """What is known to be data where a statement list begins."""
    constants = (
        recogniser.constants - arguments_of(scope) if isinstance(scope, ast.FunctionDef) else frozenset()
    )
    data = DataOnly(recogniser, constants)
    chain = [place, *place.ancestors()]
    for one in reversed(chain):
        if isinstance(one.owner, (ast.For, ast.AsyncFor)) and one.is_loop_body:
            data.bind(one.owner.target)
        inner = chain[chain.index(one) - 1] if one is not place else None
        if inner is not None:
            for statement in one.body[: inner.at]:
                data.take(statement)
    return data


def makes_configuration(api: str) -> bool:
    """Whether calling a torch name makes a layer, a criterion or an optimizer, or gives the network itself. Functions
    of `torch.nn` that compute with tensors, `pad_packed_sequence` and its like, make none."""
    is_of_them = api.startswith(("torch.nn.", "torch.optim."))
    return api in _GIVES_ITSELF or (is_of_them and not any(part in api for part in _COMPUTING))


def is_setting(node: ast.expr) -> bool:
    """`args.batch_size`, `self.config.width`; not what may be a layer or a weight."""
    if not isinstance(node, ast.Attribute):
        return False
    names = []
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        names.append(inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return False
    return inner.id in SETTINGS or bool(SETTINGS.intersection(names[1:]))


SETTINGS = frozenset(
    ("args", "opt", "opts", "cfg", "config", "hparams", "options", "FLAGS", "params", "conf")
)


def _is_place(node: ast.expr) -> bool:
    name = last_name(node)
    return name in ("device", "dev", "gpu", "dtype", "rank", "local_rank")


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _loaded(node: ast.expr) -> ast.expr:
    return ast.Name(node.id, ast.Load()) if isinstance(node, ast.Name) else node
