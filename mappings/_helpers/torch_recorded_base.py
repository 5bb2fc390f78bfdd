import collections


def torch_recorded_base(kind):
    """What a class of one's own derives from in the place of PyTorch's optimizers: the class `kind` with `zero_grad()`
    and `step()`, which it may override, for whose parameters the program is recorded, and with `state`, which nothing
    but the class itself reads."""

    class Recorded(kind):
        def __init__(self, params, *args, **kwargs):
            twins = {}
            rounds = []
            params = torch_listed_once(torch_as_parameters(params, twins), rounds)
            super().__init__(torch_named_apart(params), *args, **kwargs)
            record = TorchRecording.current().add
            vars(self).update(torch_twins=twins, torch_record=record, torch_rounds=rounds)
            vars(self).update(state=collections.defaultdict(dict))
            record(self.parameters)

        def zero_grad(self, set_to_none=True):
            torch_clear_gradients(self, vars(self)["torch_twins"], set_to_none)

        def step(self, closure=None):
            return torch_recorded_step(self, vars(self)["torch_twins"], closure)

        def state_dict(self):
            return torch_optimizer_state(self)

        def load_state_dict(self, state_dict):
            torch_load_optimizer_state(self, state_dict)

    Recorded.__name__ = Recorded.__qualname__ = kind.__name__
    return Recorded
