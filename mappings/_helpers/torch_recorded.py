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

        def copied(memo):
            """What `copy.deepcopy` asks for, with a network: what is compiled for one optimizer changes its parameters
            only, so the copy is made anew."""
            listed = (torch_listed_again(one, rounds) for one in optimizer.param_groups)
            groups = [{"params": copy.deepcopy(one, memo)} for one in listed]
            other = make(groups, *args, **kwargs)
            torch_load_optimizer_state(other, torch_optimizer_state(optimizer))
            return other

        def saved(protocol):
            """What `pickle` asks for, with a network: functions that are put into the optimizer cannot be written."""
            groups = [{"params": torch_listed_again(one, rounds)} for one in optimizer.param_groups]
            made = (torch_recorded, kind, groups, (args, kwargs))
            return torch_made_again, (*made, torch_optimizer_state(optimizer))

        optimizer.zero_grad = lambda set_to_none=True: torch_clear_gradients(optimizer, twins, set_to_none)
        optimizer.step = lambda closure=None: torch_recorded_step(optimizer, twins, closure)
        optimizer.state_dict = lambda: torch_optimizer_state(optimizer)
        optimizer.load_state_dict = lambda state_dict: torch_load_optimizer_state(optimizer, state_dict)
        record = TorchRecording.current().add
        names = [one.name for one in optimizer.parameters]
        vars(optimizer).update({"torch_record": record, "torch_names": names, "torch_rounds": rounds})
        vars(optimizer).update({"__deepcopy__": copied, "__reduce_ex__": saved})
        record(optimizer.parameters)
        return optimizer

    # A class, for what registries and tests ask of one, and with its arguments. It gives objects of `kind` alone.
    members = {
        "__new__": lambda _, *args, **kwargs: make(*args, **kwargs),
        "__signature__": inspect.signature(kind),
    }
    return type(kind.__name__, (kind,), members)
