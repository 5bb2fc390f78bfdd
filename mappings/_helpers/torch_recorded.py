import copy
import functools
import inspect


@functools.cache  # two places that name one class compare it
def torch_recorded(kind):
    """The class of optimizers `kind` with PyTorch's `zero_grad()` and `step()`: for their parameters the program is
    recorded, and `torch_backward(loss)` fills `grad`. Parameters whose `grad` is None stay as they are."""

    def make(params, *args, **kwargs):
        twins = {}  # parameters that stand for other tensors, with those
        rounds = []  # what takes further steps, as it was listed again
        params = torch_listed_once(torch_as_parameters(params, twins), rounds)
        optimizer = kind(torch_named_apart(params), *args, **kwargs)

        def copied(optimizer, memo):
            """What `copy.deepcopy` asks for, with a network: what is compiled for one optimizer changes its parameters
            only, so the copy is made anew."""
            listed = (torch_listed_again(one, rounds) for one in optimizer.param_groups)
            groups = [{"params": copy.deepcopy(one, memo)} for one in listed]
            other = make(groups, *args, **kwargs)
            torch_load_optimizer_state(other, torch_optimizer_state(optimizer))
            return other

        def saved(optimizer, protocol):
            """What `pickle` asks for, with a network: the class that is made here is nowhere to be found again."""
            groups = [{"params": torch_listed_again(one, rounds)} for one in optimizer.param_groups]
            made = (torch_recorded, kind, groups, (args, kwargs))
            return torch_made_again, (*made, torch_optimizer_state(optimizer))

        # Methods of a class: what wraps an optimizer may take over all of its attributes, and has a step of its own.
        methods = {
            "zero_grad": lambda self, set_to_none=True: torch_clear_gradients(self, twins, set_to_none),
            "step": lambda self, closure=None: torch_recorded_step(self, twins, closure),
            "state_dict": torch_optimizer_state,
            "load_state_dict": torch_load_optimizer_state,
            "__deepcopy__": copied,
            "__reduce_ex__": saved,
        }
        optimizer.__class__ = type(kind.__name__, (type(optimizer),), methods)
        for tensor, _ in twins.values():
            if torch_requires_grad(tensor):  # told by the attribute alone, as `tensor.requires_grad = True`
                TorchRecording.current().mark(tensor, True)
        record = TorchRecording.current().add
        names = [one.name for one in optimizer.parameters]
        vars(optimizer).update({"torch_record": record, "torch_names": names, "torch_rounds": rounds})
        record(optimizer.parameters)
        return optimizer

    # A class, for what registries and tests ask of one, and with its arguments. It gives objects of `kind` alone.
    members = {
        "__new__": lambda _, *args, **kwargs: make(*args, **kwargs),
        "__signature__": inspect.signature(kind),
    }
    return type(kind.__name__, (kind,), members)
