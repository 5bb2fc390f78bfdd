import collections
import warnings

import mindspore


class TorchOptimizer(mindspore.experimental.optim.Optimizer):
    """PyTorch's base of optimizers of one's own: `step` reads `grad` of the parameters, which `torch_backward` fills,
    and changes them. Only schedules of learning rates and `isinstance` see one of MindSpore's optimizers in it."""

    class Group(dict):
        """The settings of some parameters. The rate is a Parameter, so that schedules can change it."""

        def __setitem__(self, name, value):
            rate = self.get(name)
            if name == "lr" and isinstance(rate, mindspore.Parameter):
                rate.set_data(mindspore.Tensor(float(value), rate.dtype))
            else:
                super().__setitem__(name, value)

        def update(self, *args, **kwargs):
            for name, value in dict(*args, **kwargs).items():
                self[name] = value

    def __new__(cls, *args, **kwargs):
        optimizer = super().__new__(cls)
        mindspore.nn.Cell.__init__(optimizer, auto_prefix=False)  # a class of one's own may leave it out
        return optimizer

    def __init__(self, params, defaults):
        self.defaults, self.param_groups = defaults, []
        self.state = collections.defaultdict(dict)
        if isinstance(params, mindspore.Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts"
            )
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)  # networks and parameters are nothing special here

    @property
    def lrs(self):
        """The rates, as schedules ask for them."""
        return [group.get("lr") for group in self.param_groups]

    def add_param_group(self, param_group):
        params = param_group["params"]
        param_group["params"] = params = [params] if isinstance(params, mindspore.Tensor) else list(params)
        group = self.Group({**self.defaults, **param_group, "params": params})
        for name, value in group.items():
            if type(value) is type and value.__name__ == "_empty":  # what has no default
                raise ValueError(
                    f"parameter group didn't specify a value of required optimization parameter {name}"
                )
        known = {id(one) for other in self.param_groups for one in other["params"]}
        if any(id(one) in known for one in params):
            raise ValueError("some parameters appear in more than one parameter group")
        if len({id(one) for one in params}) < len(params):
            warnings.warn("a parameter stands twice in its group: each step changes it twice", stacklevel=3)
        if isinstance(group.get("lr"), (int, float, mindspore.Tensor)):
            rate = mindspore.Tensor(float(group.pop("lr")), mindspore.float32)
            group["lr"] = mindspore.Parameter(rate, name=f"learning_rate_group_{len(self.param_groups)}")
        self.param_groups.append(group)
        recording = TorchRecording.current()
        recording.add([one for one in params if isinstance(one, mindspore.Parameter)])
        for one in params:
            if isinstance(one, mindspore.Parameter):
                continue
            if not one._requires_grad and not getattr(one, "_is_buffer", False):
                raise ValueError("can't optimize a non-leaf Tensor, or one that asks for no gradient")
            one.requires_grad = one._requires_grad  # what a step asks of parameters

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for parameter in group["params"]:
                if getattr(parameter, "grad", None) is not None:
                    parameter.grad = None if set_to_none else mindspore.ops.zeros_like(parameter.grad)

    def step(self, closure=None):
        raise NotImplementedError

    def state_dict(self):
        numbers = {}
        for group in self.param_groups:
            for parameter in group["params"]:
                numbers[id(parameter)] = len(numbers)
        groups = []
        for group in self.param_groups:
            groups.append({**group, "params": [numbers[id(one)] for one in group["params"]]})
            if "lr" in group:
                groups[-1]["lr"] = float(group["lr"])
        state = {numbers.get(id(key), key): kept for key, kept in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict):
        def own(value):
            return value.copy() if isinstance(value, mindspore.Tensor) else value

        loaded = state_dict["param_groups"]
        if len(loaded) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        parameters = {}
        for group, other in zip(self.param_groups, loaded):
            if len(group["params"]) != len(other["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of one here"
                )
            parameters.update(zip(other["params"], group["params"]))
            group.update({name: value for name, value in other.items() if name != "params"})
        state = collections.defaultdict(dict)
        for key, kept in state_dict["state"].items():
            parameter = parameters.get(key, key)
            state[parameter] = {n: own(v) for n, v in kept.items()} if isinstance(kept, dict) else kept
        self.state = state

    # What is meant where a class of one's own calls them of `super()`.
    torch_state_dict, torch_load_state_dict, torch_add_group = state_dict, load_state_dict, add_param_group

    def __setstate__(self, state):
        vars(self).update(state)

    def __repr__(self):
        lines = [type(self).__name__ + " ("]
        for number, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {number}")
            for name in sorted(group.keys() - {"params"}):
                lines.append(f"    {name}: {float(group[name]) if name == 'lr' else group[name]}")
        return "\n".join([*lines, ")"])
