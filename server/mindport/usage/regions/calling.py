"""What calls of the project's own code give, for following a gradient: functions wait, instances are made."""

from __future__ import annotations

import ast
from abc import abstractmethod

from mindport.usage.regions.framework_calls import CALLED, COMPILED, FrameworkCalls
from mindport.usage.regions.values import (
    DOUBT,
    UNREAD,
    BodyRun,
    Builtin,
    Choice,
    ClassOf,
    Compiled,
    Constant,
    Data,
    FunctionOf,
    Gradient,
    GradientMaker,
    Items,
    Layer,
    OutsideName,
    OwnInstance,
    PartialCall,
    PassedValues,
    TreePlace,
    UncalledMember,
    Value,
    Waiting,
    chosen,
)

_DEEPEST_CALLS = 60
# What a port puts in for a gradient that torch kept the graph of: it is differentiated again, by whoever records.
_KEPT_GRADIENTS = ("torch_input_gradient", "torch_named_input_gradient")


class Calls(FrameworkCalls):
    """Calls of everything but the functions that differentiate."""

    @abstractmethod
    def gradient_called(
        self, gradient: Gradient, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
        """The result of a call of a function that computes a gradient."""

    @abstractmethod
    def kept_gradient(self, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
        """The function that computes a gradient which is differentiated again."""

    @abstractmethod
    def is_watched(self, function: FunctionOf) -> bool:
        """Whether the function leads to a call that differentiates, so that it has to be run."""

    def call(self, callee: Value, arguments: PassedValues, site: TreePlace, frame: BodyRun) -> Value:
        """The result of a call."""
        if not self.step():
            return Data()
        callee = self.settled(callee)
        if isinstance(callee, FunctionOf):
            return self._call_function(callee, arguments, site, frame)
        if isinstance(callee, OwnInstance):
            return self._call_instance(callee, arguments, site, frame)
        if isinstance(callee, Layer):
            return self._apply(callee, arguments, site, frame)
        if isinstance(callee, ClassOf):
            return self._make_instance(callee, arguments, site, frame)
        if isinstance(callee, OutsideName):
            return self._call_dotted(callee.name, arguments, site, frame)
        if isinstance(callee, UncalledMember):
            return self._call_member(callee, arguments, site, frame)
        if isinstance(callee, Choice):
            results = []
            for value in callee.values:
                result = self.call(value, arguments, site, frame)
                result.conditions |= {DOUBT} | value.conditions
                results.append(result)
            return chosen(results)
        if isinstance(callee, PartialCall):
            given = callee.arguments
            joined = PassedValues(
                [*given.positional, *arguments.positional], {**given.keywords, **arguments.keywords},
                [*given.rest, *arguments.rest],
            )  # fmt: skip
            return self.call(callee.callee, joined, site, frame)
        if isinstance(callee, Compiled):
            was_compiled, frame.is_compiled = frame.is_compiled, True
            result = self.call(callee.callee, arguments, site, frame)
            frame.is_compiled = was_compiled
            return result
        if isinstance(callee, Gradient):
            return self.gradient_called(callee, arguments, site, frame)
        if isinstance(callee, GradientMaker):
            function = arguments.at(0, "fn")
            positions = None if callee.of_weights else (0,)
            return Gradient(function or Data(), "mindspore.ops.GradOperation", positions, site, frame)
        if isinstance(callee, Builtin):
            return self.builtin(callee.name, arguments, site, frame)
        if isinstance(callee, Constant):
            return Constant(UNREAD)
        # Something that was not followed: it may do anything to its arguments.
        return Data((callee, *arguments.all()), "", site, frame)

    def _call_function(
        self, function: FunctionOf, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
        if function.name in _KEPT_GRADIENTS and function.owner is None:
            return self.kept_gradient(arguments, site, frame)
        waiting = Waiting(function, arguments, site, frame)
        waiting.conditions |= function.conditions
        receiver = function.receiver
        is_setting_up = isinstance(receiver, OwnInstance) and receiver.is_being_made
        if self.is_watched(function) or is_setting_up:
            self.force(waiting)
        return waiting

    def force(self, waiting: Waiting) -> Value:
        """The result of a call that waits."""
        if waiting.result is None:
            if waiting.is_active or not self.step() or _depth(waiting.frame) > _DEEPEST_CALLS:
                return Data((*waiting.arguments.all(),))
            waiting.is_active = True
            waiting.result = self._run_function(waiting)
            waiting.is_active = False
        return self.settled(waiting.result)

    def _run_function(self, waiting: Waiting) -> Value:
        function = waiting.callee
        name = function.name
        if function.owner is not None and name in CALLED:
            name = function.owner.name
        frame = BodyRun(function.path, function.shift, name, function.frame, waiting.site, waiting.frame)
        frame.conditions = waiting.conditions
        frame.is_compiled = waiting.is_compiled or self.is_compiled(function)
        frame.is_watched = self.is_watched(function)
        frame.owner = function.owner
        frame.receiver = function.receiver
        self._bind(function, waiting.arguments, frame)
        node = function.node
        if isinstance(node, ast.Lambda):
            return self.evaluate(node.body, frame)
        self.run([(statement, function.shift) for statement in node.body], frame)
        if frame.is_watched:
            self.run_nested(frame)
        if frame.yielded:
            return Items([chosen(frame.yielded)])
        return chosen(frame.returned) if frame.returned else Constant(None)

    def run_nested(self, frame: BodyRun) -> None:
        """Run the functions defined in a frame that lead to a call that differentiates and were only handed on."""
        for function in frame.nested:
            if self.is_watched(function) and not self.was_run(function):
                site = TreePlace(function.path, function.node, function.shift)
                self.force(Waiting(function, PassedValues.unseen(), site, frame))

    @abstractmethod
    def was_run(self, function: FunctionOf) -> bool:
        """Whether a watched function was run."""

    def is_compiled(self, function: FunctionOf) -> bool:
        """Whether a decorator has the function run as a graph."""
        if isinstance(function.node, ast.Lambda):
            return False
        for decorator in function.node.decorator_list:
            node = decorator.func if isinstance(decorator, ast.Call) else decorator
            text = ast.unparse(node)
            if text.rpartition(".")[2] not in ("jit", "ms_function"):
                continue
            value = self.settled(self.evaluate(node, function.frame))
            if isinstance(value, OutsideName) and value.name in COMPILED:
                return True
        return False

    def _bind(self, function: FunctionOf, arguments: PassedValues, frame: BodyRun) -> None:
        """Give the parameters what the call passes, else their defaults, else data from outside."""
        parameters = function.node.args
        positional = [*parameters.posonlyargs, *parameters.args]
        passed = list(arguments.positional)
        if function.receiver is not None and positional:
            frame.names[positional.pop(0).arg] = function.receiver
        defaults = [None] * (len(positional) - len(parameters.defaults)) + list(parameters.defaults)
        defaults = defaults[len(defaults) - len(positional) :]
        keywords = dict(arguments.keywords)
        for parameter, default in zip(positional, defaults, strict=True):
            name = parameter.arg
            if passed:
                frame.names[name] = passed.pop(0)
            elif name in keywords:
                frame.names[name] = keywords.pop(name)
            else:
                frame.names[name] = self._unpassed(function, parameter, default, arguments)
        for parameter, default in zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True):
            name = parameter.arg
            if name in keywords:
                frame.names[name] = keywords.pop(name)
            else:
                frame.names[name] = self._unpassed(function, parameter, default, arguments)
        if parameters.vararg is not None:
            frame.names[parameters.vararg.arg] = (
                Items(passed) if passed or not arguments.rest else Data(tuple(arguments.rest))
            )
        if parameters.kwarg is not None:
            keys: list[Value] = [Constant(name) for name in keywords]
            frame.names[parameters.kwarg.arg] = Items(list(keywords.values()), keys)

    def _unpassed(
        self, function: FunctionOf, parameter: ast.arg, default: ast.expr | None, arguments: PassedValues
    ) -> Value:
        """A parameter that the call is not seen to pass."""
        if arguments.rest:
            return Data(tuple(arguments.rest))
        declared = self._declared(function, parameter)
        if declared is not None:
            return declared
        if default is not None:
            value = self.settled(self.evaluate(default, function.frame))
            if arguments.is_seen or not (isinstance(value, Constant) and value.value is None):
                return value
        return Data()

    def _declared(self, function: FunctionOf, parameter: ast.arg) -> Value | None:
        """What the annotation says, where it names a class of the project."""
        annotation = parameter.annotation
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotation = ast.Name(annotation.value, ast.Load()) if annotation.value.isidentifier() else None
        if not isinstance(annotation, (ast.Name, ast.Attribute)):
            return None
        value = self.settled(self.evaluate(annotation, function.frame))
        if not isinstance(value, ClassOf):
            return None
        made = OwnInstance(value, None, None, None)
        made.conditions |= {DOUBT}
        return made

    def _make_instance(
        self, class_of: ClassOf, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
        made = OwnInstance(class_of, arguments, site, frame)
        self.made.setdefault(id(class_of.node), []).append(made)
        return made

    def make(self, instance: OwnInstance) -> None:
        """Follow `__init__`, so that the attributes are there."""
        if instance.is_made or not self.step():
            return
        instance.is_made = instance.is_being_made = True
        class_of = instance.class_of
        arguments = instance.arguments if instance.arguments is not None else PassedValues.unseen()
        site = instance.site or TreePlace(class_of.path, class_of.node, class_of.shift)
        for one in self.lineage(class_of):
            initialiser = one.methods.get("__init__")
            if initialiser is not None:
                frame = instance.frame or BodyRun(class_of.path, class_of.shift, "", None, None, None)
                waiting = Waiting(initialiser.bound(instance), arguments, site, frame)
                waiting.conditions = instance.conditions  # of then, not of now
                self.force(waiting)
                break
        else:
            self.inherit(instance, arguments, site)
        instance.is_being_made = False

    def inherit(self, instance: OwnInstance, arguments: PassedValues, site: TreePlace) -> None:
        """Make what an instance is by the framework's class that it derives from."""
        base = self.framework_base(instance.class_of)
        if base and instance.inherited is None:
            class_of = instance.class_of
            frame = instance.frame or BodyRun(class_of.path, class_of.shift, "", None, None, None)
            layer = self._layer(base, arguments, site, frame)
            layer.conditions = instance.conditions
            instance.inherited = layer

    def _call_instance(
        self, instance: OwnInstance, arguments: PassedValues, site: TreePlace, frame: BodyRun
    ) -> Value:
        for name in CALLED:
            method = self.class_attribute(instance.class_of, name)
            if isinstance(method, FunctionOf):
                return self._call_function(method.bound(instance), arguments, site, frame)
        self.make(instance)
        if instance.inherited is None:
            self.inherit(instance, PassedValues(), site)
        if instance.inherited is not None and self.is_layer_class(instance.inherited.api):
            return self._apply(instance.inherited, arguments, site, frame)
        return Data((instance, *arguments.all()), "", site, frame)


def _depth(frame: BodyRun | None) -> int:
    depth = 0
    while frame is not None:
        depth += 1
        frame = frame.caller
    return depth
