"""Evaluates calls of one unit to values, and writes down those that may be calls of torch."""

from __future__ import annotations

import ast
import functools

from mindport.usage import algebra, torch_calls, torch_model, torch_values
from mindport.usage.called_names import is_type_of
from mindport.usage.formats import TEMPLATE, fields_of_objects, formatted_arguments, unpacked_object
from mindport.usage.given_sizes import ALL_SIZES, may_be_sizes
from mindport.usage.named_in_strings import EVALUATES, LAYERS, is_evaluation
from mindport.usage.package_model import OF_ELEMENTS, OF_TWO_ELEMENTS
from mindport.usage.python_model import PART_BY_APPLY
from mindport.usage.references import ReferenceWalker
from mindport.usage.types import BOOL, NONE, STR, UNKNOWN, Tag, Type, is_vague, make
from mindport.usage.variables import MODULE_LEVEL_NAMES, PLAIN, TYPE_CHECK, Op, SiteForm, Value, Variable
from mindport.usage.walk_state import RESULT_CHOSEN, RESULT_PARAMETER, types_of

_CALL_THEIR_FIRST = frozenset({"filter", "map"})
_CALL_THEIR_KEY = frozenset({"max", "min", "sorted"})
_IN_PLACE = "torch_in_place"  # the helper that writes into what it is given second
_TYPE_CHECKS = ("isinstance", "issubclass")
_MAY_BE_LAYERS = (Tag.INSTANCE, Tag.UNION)
_TENSOR = Tag.TENSOR
_TORCH_MODULE = Tag.TORCH_MODULE
_PROJECT_INSTANCE = Tag.PROJECT_INSTANCE
_OF_PROJECT = (_PROJECT_INSTANCE, Tag.PROJECT_FUNCTION, Tag.PROJECT_CLASS)


class CallWalker(ReferenceWalker):
    """Calls."""

    def call(self, node: ast.Call) -> Value:
        callee_node = node.func
        sites = self.summary.sites
        before = len(sites)
        if isinstance(callee_node, ast.Attribute):
            callee = self.attribute(callee_node, node)
        elif isinstance(callee_node, ast.Name):
            callee = self.name(callee_node, node)
        else:
            callee = self.evaluate(callee_node)
        own_site = sites[-1] if len(sites) > before and sites[-1].node is callee_node else None
        if own_site is not None and own_site.form is SiteForm.TYPE_OF:
            own_site.call = node
        context = self.context
        if context:
            self.context = PLAIN
        evaluators = self.evaluators
        values: dict[ast.expr, Value] = {}
        positional: list[Value] = []
        keywords: dict[str, Value] = {}
        if isinstance(callee, Type) and callee.name == "torch.nn.Parameter" and node.args:
            self.summary.results[node.args[0]] = RESULT_PARAMETER
        checks_type = isinstance(callee, Type) and callee.tag is Tag.BUILTIN and callee.name in _TYPE_CHECKS
        for argument in node.args:
            if checks_type and positional:
                self.context = TYPE_CHECK
            value = values[argument] = evaluators[argument.__class__](argument)
            positional.append(value)
            if isinstance(value, Variable):
                value.hand_to(callee, len(positional) - 1)
        if checks_type:
            self.context = PLAIN
        for keyword in node.keywords:
            value = values[keyword.value] = evaluators[keyword.value.__class__](keyword.value)
            if keyword.arg is None:
                self.use(value, "@mapping")
                continue
            keywords[keyword.arg] = value
            if isinstance(value, Variable):
                value.hand_to(callee, keyword.arg)
        if context:
            self.context = context
        if may_be_sizes(node, callee):
            self.site(SiteForm.SIZES, node.args[0], ALL_SIZES, positional[0]).other = callee
        if isinstance(callee, Type) and "out" not in keywords:
            self.elements(node, callee, positional)
        if own_site is not None:
            own_site.values = values
        if isinstance(callee, Variable) or callee.tag in _OF_PROJECT:
            for argument in values:
                self.note_handed_on(argument)
        if getattr(callee_node, "id", "") == _IN_PLACE and len(node.args) > 1:
            self.note_changed(node.args[1])
        if "format" in (getattr(callee_node, "attr", ""), getattr(callee_node, "id", "")):
            for formatted, letter in formatted_arguments(node):
                self.formatting(formatted, values[formatted], letter)
            self.template(node, values)
        if keywords and (isinstance(callee, Variable) or callee.tag in _MAY_BE_LAYERS):
            self.site(SiteForm.NAMED_ARGUMENTS, node, "", callee, node).values = values
        if isinstance(callee, Variable):
            result: Value = self.variable_call(node, callee, positional, keywords)
        else:
            result = self.known_call(node, callee, positional, keywords)
        if isinstance(callee_node, ast.Attribute) and callee_node.attr == "apply" and len(positional) == 1:
            self.applied(node, callee, positional[0])
        if isinstance(callee, Type) and callee.tag is Tag.BUILTIN:
            if callee.name == "map" and node.args:
                self.summary.results[node.args[0]] = RESULT_CHOSEN  # a class that is mapped is called
            if callee.name == "abs" and len(positional) == 1 and not isinstance(node.args[0], ast.Starred):
                self.site(SiteForm.OPERATOR, node, "__abs__", positional[0])
            self.called_with_items(node, callee.name, positional, keywords)
        return result

    def elements(self, node: ast.Call, callee: Type, positional: list[Value]) -> None:
        """Write down a function of NumPy that computes each element of one value, or of two."""
        if positional and callee.name in OF_ELEMENTS:
            self.site(SiteForm.OF_ELEMENTS, node, "__array__", positional[0])
        elif len(positional) > 1 and callee.name in OF_TWO_ELEMENTS:
            self.site(SiteForm.OF_ELEMENTS, node, "__array__", positional[0]).other = positional[1]

    def formatting(
        self, node: ast.expr, value: Value, letter: str, field: tuple[ast.JoinedStr, int] | None = None
    ) -> None:
        """Write down that a value is put into a text by a format of numbers."""
        if letter and (isinstance(value, Variable) or value.tag in (_TENSOR, Tag.UNION)):
            self.site(SiteForm.FORMAT, node, letter, value).field = field

    def template(self, node: ast.Call, values: dict[ast.expr, Value]) -> None:
        """Write down the template of `"{loss.val:.3f}".format(loss=losses)`, of which fields print parts of objects, or
        that gets all that an object has, or of `message.format(loss)`, whose fields are not seen."""
        if not isinstance(node.func, ast.Attribute):
            return
        parts = [
            functools.reduce(self.symbolic_attribute, names, values[argument])
            for argument, names in fields_of_objects(node)
        ]
        if not isinstance(node.func.value, ast.Constant) and self.base_value(node.func.value) is STR:
            parts += [
                value for value in values.values() if isinstance(value, Variable) or value.tag is _TENSOR
            ]
        owner = unpacked_object(node)
        if parts or owner is not None:
            value = self.joined(parts) if parts else UNKNOWN
            site = self.site(SiteForm.FORMAT, node.func.value, TEMPLATE, value)
            site.other = self.base_value(owner) if owner is not None else None

    def applied(self, node: ast.Call, callee: Value, function: Value) -> None:
        """Note that `net.apply(f)` calls `f` with the modules of the net, `table.apply(f)` with what a table has."""
        if isinstance(callee, Variable):
            base = callee.base if callee.op is Op.ATTRIBUTE else None
        else:
            base = callee.parts[0] if callee.tag is Tag.METHOD else None
        if base is None or (isinstance(function, Type) and function.tag is not Tag.PROJECT_FUNCTION):
            return
        part = self.variable(Op.CALL, self.symbolic_attribute(base, PART_BY_APPLY), "", ([STR], {}))
        self.summary.calls.append(self.variable(Op.CALL, function, "", ([part], {})))
        self.summary.call_nodes.append(node)

    def element(self, value: Value) -> Value:
        """One item of an iterable."""
        if isinstance(value, Variable):
            self.use(value, "@iterated")
            return self.variable(Op.ELEMENT, value)
        if value.tag is _PROJECT_INSTANCE:
            return self.variable(Op.ELEMENT, value)
        found = algebra.element(value)
        return found if not is_vague(found) else self.variable(Op.ELEMENT, value)

    def called_with_items(
        self, node: ast.Call, name: str, positional: list[Value], keywords: dict[str, Value]
    ) -> None:
        """Note that `filter(lambda p: ..., items)`, `map` and `sorted(items, key=lambda p: ...)` call their function
        with the items. Of one with a name this would say that it surely runs, which `map` does not do by itself."""
        if name in _CALL_THEIR_FIRST and len(positional) > 1:
            function, *iterables = positional
        elif name in _CALL_THEIR_KEY and len(positional) == 1 and "key" in keywords:
            function, iterables = keywords["key"], positional
        else:
            return
        if isinstance(function, Type) and function.name.rpartition(".")[2].startswith("<lambda>"):
            items = [self.element(one) for one in iterables]
            self.summary.calls.append(self.variable(Op.CALL, function, "", (items, {})))
            self.summary.call_nodes.append(node)

    def variable_call(
        self, node: ast.Call, callee: Variable, positional: list[Value], keywords: dict[str, Value]
    ) -> Variable:
        """The result of calling something that is not known here."""
        if callee.op not in MODULE_LEVEL_NAMES:
            self.use(callee, "@called")
        result = self.variable(Op.CALL, callee, "", (positional, keywords))
        base = callee.base
        if (
            callee.op is Op.ATTRIBUTE
            and isinstance(base, Variable)
            and callee.name in torch_values.TENSOR_TO_TENSOR_METHODS
        ):
            result.origin = base.origin
        self.summary.calls.append(result)
        self.summary.call_nodes.append(node)
        return result

    def known_call(
        self, node: ast.Call, callee: Type, positional: list[Value], keywords: dict[str, Value]
    ) -> Value:
        """The result of calling something known; a variable where it hangs on arguments that are not."""
        tag = callee.tag
        if tag is Tag.BUILTIN:
            special = self.builtin_call(node, callee.name, positional, keywords)
            if special is not None:
                return special
        elif tag in (Tag.PROJECT_FUNCTION, Tag.PROJECT_CLASS, Tag.PROJECT_INSTANCE):
            result = self.variable(Op.CALL, callee, "", (positional, keywords))
            self.summary.calls.append(result)
            self.summary.call_nodes.append(node)
            return result
        elif tag is Tag.METHOD and callee.name.endswith("register_buffer") and len(node.args) > 1:
            pass
        elif tag is Tag.EXTERNAL and callee.name == "importlib.import_module":
            return _imported_torch(node)
        elif tag is Tag.EXTERNAL and callee.name == "importlib.reload" and positional:
            return positional[0]
        elif callee.name in torch_calls.CONTAINERS:
            places = [str(place) for place, one in enumerate(node.args) if isinstance(one, ast.Starred)]
            keywords = {**keywords, torch_calls.STARRED: make(Tag.OTHER, ",".join(places))}
        needs = algebra.needed_arguments(callee)
        if needs:
            for value in positional:
                if isinstance(value, Variable):
                    return self.variable(Op.CALL, callee, "", (positional, keywords))
            for value in keywords.values():
                if isinstance(value, Variable):
                    return self.variable(Op.CALL, callee, "", (positional, keywords))
            known = algebra.call(
                callee,
                types_of(positional),
                {name: kind for name, kind in keywords.items() if isinstance(kind, Type)},
            )
        else:
            known = algebra.call(callee, (), {})
        # What is not known gets a variable all the same, to collect evidence.
        return known if not is_vague(known) else self.variable(Op.CALL, callee, "", (positional, keywords))

    def builtin_call(
        self, node: ast.Call, name: str, positional: list[Value], keywords: dict[str, Value]
    ) -> Value | None:
        """Builtins that look at names or at the class around them."""
        if name == "super":
            return make(Tag.SUPER, self.class_record.key) if self.class_record is not None else UNKNOWN
        if name == "type" and is_type_of(node):
            return self.type_of(node, positional[0])
        if name in ("getattr", "hasattr", "setattr") and len(node.args) >= 2:
            literal = node.args[1]
            base = positional[0]
            if isinstance(base, Type) and base.tag is _TORCH_MODULE:
                self.unnamed(node.args[0])
            if isinstance(literal, ast.Constant) and isinstance(literal.value, str):
                if name == "hasattr":
                    return BOOL
                if name == "setattr":
                    self.attribute_assigned(
                        base, literal.value, positional[2] if len(positional) > 2 else UNKNOWN
                    )
                    return NONE
                if isinstance(base, Variable):
                    return self.symbolic_attribute(base, literal.value)
                if base.tag is _TORCH_MODULE:
                    reference = torch_model.reference(f"{base.name}.{literal.value}")
                    self.site(SiteForm.NAME, node, f"{base.name}.{literal.value}", reference.type)
                    return reference.type
                return self.symbolic_attribute(base, literal.value)
            is_torch = isinstance(base, Type) and base.tag is _TORCH_MODULE
            if name == "getattr" or (name == "hasattr" and is_torch):
                found = self.looked_up(node, node.args[0], base)
                return found if name == "getattr" else BOOL
            return BOOL if name == "hasattr" else NONE
        if name == EVALUATES and is_evaluation(node):
            self.site(SiteForm.GETATTR, node, "", self.lookup(LAYERS))
        if name in ("len", "range", "int", "float", "str", "bool", "iter", "next") and positional:
            self.use(positional[0], f"@{name}")
        if name == "isinstance":
            return BOOL
        return None


def _imported_torch(call: ast.Call) -> Type:
    """The module of torch that `importlib.import_module("torch.optim")` gives; UNKNOWN for any other."""
    match call:
        case ast.Call(args=[ast.Constant(value=str(name))], keywords=[]):
            if name.partition(".")[0] in torch_model.TORCH_ROOTS:
                return torch_model.reference(name).type
    return UNKNOWN
