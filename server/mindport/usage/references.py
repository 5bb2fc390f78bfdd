"""Evaluates names and attributes of one unit, and writes down where they may be uses of torch."""

from __future__ import annotations

import ast

from mindport.source.trees import every_node
from mindport.usage import algebra, package_model, python_model, torch_model, torch_values
from mindport.usage.array_members import ARRAY_MEMBERS
from mindport.usage.calls_of_arrays import is_refused_by_tensors
from mindport.usage.header import kept_attribute, library_of_name
from mindport.usage.names_of_cells import TAKEN
from mindport.usage.telling_names import told_or_by_name
from mindport.usage.types import UNKNOWN, Tag, Type, is_vague, make
from mindport.usage.variables import ClassRecord, Op, SiteForm, Value, Variable
from mindport.usage.walk_state import RESULT_ATTRIBUTE, WalkState, may_be_member

_TENSOR = Tag.TENSOR
_TORCH_MODULE = Tag.TORCH_MODULE
_PROJECT_INSTANCE = Tag.PROJECT_INSTANCE


class ReferenceWalker(WalkState):
    """Attributes of values, and what is kept of those that the unit itself sets."""

    def base_value(self, node: ast.expr) -> Value:
        """The value before a dot: a Python module of torch is no use of its own there."""
        if isinstance(node, ast.Name):
            identifier = node.id
            found = self.environment.get(identifier)
            if found is None:
                found = self.lookup(identifier)
            if isinstance(found, Variable) or found.tag is Tag.TORCH_MODULE or found.tag is Tag.EXTERNAL:
                return found
            return self.name(node)
        if isinstance(node, ast.Attribute):
            return self.attribute(node, None, inner=True)
        return self.evaluate(node)

    def attribute(self, node: ast.Attribute, call: ast.Call | None = None, inner: bool = False) -> Value:
        name = node.attr
        base = self.base_value(node.value)
        if node.value.__class__ is ast.Call:
            self.summary.results[node.value] = RESULT_ATTRIBUTE
        if name == "__class__" and (isinstance(base, Variable) or base.tag is _TENSOR):
            return self.type_of(node, base, call)
        if isinstance(base, Variable):
            return self.variable_attribute(node, base, name, call)
        tag = base.tag
        if tag is _PROJECT_INSTANCE:
            if name in torch_model.MEMBER_NAMES or name in TAKEN:
                self.site(SiteForm.MEMBER, node, name, base, call)
            kept = self.attribute_kept(node) if call is None and self.keeping else None
            return self.symbolic_attribute(base, name) if kept is None else kept
        if tag is _TENSOR:
            self.site(SiteForm.MEMBER, node, name, base, call)
            found = torch_values.member_value(base, name)
            return found if not is_vague(found) else self.symbolic_attribute(base, name)
        if tag is _TORCH_MODULE:
            if name == "__dict__":
                return self.looked_up(node, node.value, base)
            reference = torch_model.reference(f"{base.name}.{name}")
            if not (inner and reference.type.tag is _TORCH_MODULE):
                self.site(SiteForm.NAME, node, f"{base.name}.{name}", reference.type, call)
            return reference.type
        if tag is Tag.EXTERNAL:
            dotted = f"{base.name}.{name}"
            if not inner and library_of_name(base.name):
                self.site(SiteForm.NAME, node, dotted, make(Tag.EXTERNAL, dotted), call)
            return package_model.external_member(base, name)
        if tag in (Tag.PROJECT_CLASS, Tag.SUPER, Tag.PROJECT_MODULE, Tag.PROJECT_FUNCTION):
            if name in torch_model.MEMBER_NAMES:
                self.site(SiteForm.MEMBER, node, name, base, call)
            return self.symbolic_attribute(base, name)
        if tag in (Tag.INSTANCE, Tag.CLASS, Tag.UNION, Tag.METHOD):
            self.site(SiteForm.MEMBER, node, name, base, call)
        result = algebra.attribute(base, name)
        if tag in (Tag.OTHER, Tag.EXTERNAL_VALUE):
            kept = self.attribute_kept(node)
            return told_or_by_name(result, name) if kept is None else kept
        return result if not is_vague(result) else self.symbolic_attribute(base, name)

    def variable_attribute(
        self, node: ast.Attribute, base: Variable, name: str, call: ast.Call | None
    ) -> Value:
        """An attribute of a value that is not known here."""
        what = name + "()" if call is not None else name
        if call is not None and name == "eval" and (call.args or call.keywords):
            what = "@evaluates"  # `experiment.eval(setting)`: torch's takes nothing
        self.use(base, what)
        if name == "size" and call is not None and _is_for_an_axis(call):
            self.use(base, "@axis_size")
        if call is not None and name in torch_model.TENSOR_MEMBER_NAMES and _is_along_axis(call):
            self.use(base, "@along_axis")
        if name == "flip" and call is not None and _names_axes(call):
            self.use(base, "@along_axis")
        if name == "norm" and call is not None and _is_by_orders(call):
            self.use(base, "@norm_by_order" if call.args or call.keywords else "@norm_alone")
        if name == "eval" and call is not None and not call.args and not call.keywords:
            self.use(base, "@eval_alone")
        if name == "step" and call is not None and any(map(_is_no_closure, call.args)):
            self.use(base, "@step_with_value")
        if name == "load_state_dict" and call is not None and _says_how_strictly(call):
            self.use(base, "@loaded_strictly")
        if call is not None and name in ARRAY_MEMBERS and is_refused_by_tensors(name, call):
            self.use(base, "@refused_by_tensors")
        if may_be_member(base, name):
            self.site(SiteForm.MEMBER, node, name, base, call)
        return self.kept_or(self.symbolic_attribute(base, name), node)

    def kept_or(self, found: Value, node: ast.Attribute) -> Value:
        """An attribute of a value that is none of the project's: what it was given here, if anything."""
        kept = self.attribute_kept(node)
        return found if kept is None else self.variable(Op.KEPT, found, node.attr, kept)

    def attribute_kept(self, node: ast.Attribute) -> Value | None:
        """What the attribute of an object that has a name was given, where this is known."""
        if not isinstance(node.value, ast.Name):
            return None
        owner = node.value.id
        key = kept_attribute(owner, node.attr)
        for scope in (self.environment, *self.outer):
            if key in scope:
                return scope[key]
            if owner in scope:
                return None
        return self.lookup(key) if key in self.table.names else None

    def keep_attribute(self, target: ast.Attribute, value: Value) -> None:
        """`args.device = value`: what is read there from now on, if `args` is no object of the project's; and
        `self.labels = torch.tensor(self.labels)`."""
        if isinstance(target.value, ast.Name):
            self.environment[kept_attribute(target.value.id, target.attr)] = value
            self.keeping.add(target.value.id)

    def forget_attributes(self, owner: str) -> None:
        """Another object has got the name."""
        if owner not in self.keeping:
            return
        start = kept_attribute(owner, "")
        for name in [one for one in self.environment if one.startswith(start)]:
            del self.environment[name]

    def symbolic_attribute(self, base: Value, name: str) -> Variable:
        """The variable for an attribute; the same one each time, so that evidence adds up."""
        key = (base, name)
        found = self.attributes.get(key)
        if found is None:
            found = self.attributes[key] = self.variable(Op.ATTRIBUTE, base, name)
            if base is self.instance and isinstance(base, Type) and base.tag is _PROJECT_INSTANCE:
                self.record_of(base.name).reads[name] = found
            if isinstance(base, Variable) and name in torch_values.TENSOR_VALUED_ATTRIBUTES:
                found.origin = base.origin
        return found

    def note_handed_on(self, node: ast.expr | None) -> None:
        """Note that code elsewhere gets the value of an expression, which it may write to."""
        if isinstance(node, ast.Subscript):
            self.summary.handed_on.add(node)
        elif isinstance(node, ast.Name):
            self.summary.handed_on.add((self.scope, node.id))

    def note_changed(self, node: ast.expr) -> None:
        """Note that what a variable holds, or a part of it, is written to."""
        while isinstance(node, ast.Subscript):
            self.summary.changed_parts.add(node)
            node = node.value
        if isinstance(node, ast.Name):
            self.summary.changed.add((self.scope, node.id))

    def attribute_assigned(self, base: Value, name: str, value: Value) -> None:
        """`base.name = value`: remembered where `base` is the instance or the class at hand."""
        if isinstance(base, Type) and base.tag in (_PROJECT_INSTANCE, Tag.PROJECT_CLASS):
            record = self.record_of(base.name)
            record.attributes.setdefault(name, []).append(value)

    def record_of(self, key: str) -> ClassRecord:
        """This unit's record of a class; a class spread over several units has one in each."""
        found = self.summary.classes.get(key)
        if found is None:
            found = self.summary.classes[key] = ClassRecord(key, key.rpartition(".")[2])
        return found

    def type_of(self, node: ast.expr, value: Value, call: ast.Call | None = None) -> Value:
        """`type(value)`, or `value.__class__`, which may be the class of tensors."""
        self.site(SiteForm.TYPE_OF, node, "", value, call)
        if isinstance(value, Variable):
            return self.variable(Op.CALL, python_model.builtin("type"), "", ([value], {}))
        return python_model.type_of(value)

    def looked_up(self, node: ast.expr, module: ast.expr, base: Value) -> Value:
        """`getattr(base, name)` of a name that is not written there, or `base.__dict__`; the expression `module` stands
        for the base."""
        if isinstance(base, Type) and base.tag is _TORCH_MODULE:
            self.unnamed(module)
        self.site(SiteForm.GETATTR, node, "", base)
        return self.variable(Op.ATTRIBUTE, UNKNOWN, "")

    def unnamed(self, module: ast.expr) -> None:
        """An expression is no use of its own: the name that is looked up in it is."""
        inside = set(map(id, every_node(module)))
        self.summary.sites[:] = [site for site in self.summary.sites if id(site.node) not in inside]


def _is_along_axis(call: ast.Call) -> bool:
    """Whether a call names an axis as torch does, `x.norm(dim=-1, keepdim=True)`: a tensor or its like computes along
    it, where a layer would be given the tensor. Some name their axes, `x.mean(dim="time")`."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    dim = named.get("dim")
    by_name = isinstance(dim, ast.Constant) and isinstance(dim.value, str)
    return "keepdim" in named or (dim is not None and not by_name and not call.args)


def _names_axes(call: ast.Call) -> bool:
    """Whether a call is given nothing but whole numbers that are written out, `x.flip(0)`, `x.flip([-2, -1])`."""
    given = call.args
    if len(given) == 1 and isinstance(given[0], ast.List | ast.Tuple):
        given = given[0].elts
    numbers = [one.operand if isinstance(one, ast.UnaryOp) else one for one in given]
    return bool(numbers) and all(isinstance(one, ast.Constant) and type(one.value) is int for one in numbers)


def _says_how_strictly(call: ast.Call) -> bool:
    """Whether a call says what only networks ask: `net.load_state_dict(weights, strict=False)`."""
    return any(keyword.arg in ("strict", "assign") for keyword in call.keywords)


def _is_by_orders(call: ast.Call) -> bool:
    """Whether a norm is given nothing but written numbers and words, `x.norm(2)`, `x.norm(p="fro")`,
    `x.norm(float("inf"))`: a layer of that name would be given a tensor."""
    named = [keyword.value for keyword in call.keywords if keyword.arg == "p"]
    is_known = len(named) == len(call.keywords)
    return is_known and all(map(_is_order, (*call.args, *named)))


def _is_order(node: ast.expr) -> bool:
    match node:
        case ast.UnaryOp(operand=operand):
            return _is_order(operand)
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str())]):
            return True
        case ast.Attribute(attr="inf"):
            return True
    return isinstance(node, ast.Constant)


def _is_no_closure(argument: ast.expr) -> bool:
    """Whether an argument is not called as what optimizers take for their step: `env.step(action)`."""
    match argument:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return not any(word in name.lower() for word in _OF_CLOSURES)
        case ast.Lambda() | ast.Call() | ast.Starred() | ast.Constant(value=None):
            return False
    return True


_OF_CLOSURES = ("closure", "loss", "fn", "func", "forward", "objective", "eval")


def _is_for_an_axis(call: ast.Call) -> bool:
    """Whether a call passes a written number and nothing else: `x.size(0)`, `x.size(-1)`."""
    match [*call.args, *(keyword.value for keyword in call.keywords)]:
        case [ast.Constant(value=int())] | [ast.UnaryOp(operand=ast.Constant(value=int()))]:
            return True
    return False
