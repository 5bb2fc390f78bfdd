import copy

import mindspore


def torch_recorded(kind):
    """The class of optimizers `kind` with PyTorch's `zero_grad()` and `step()`: for their parameters the program is
    recorded, and `torch_backward(loss)` fills `grad`. Parameters whose `grad` is None stay as they are."""

    def make(params, *args, **kwargs):
        twins = {}  # parameters that stand for other tensors, with those
        optimizer = kind(torch_named_apart(torch_as_parameters(params, twins)), *args, **kwargs)

        def zero_grad(set_to_none=True):
            for parameter in [*optimizer.parameters, *(tensor for tensor, _ in twins.values())]:
                if parameter.grad is not None:
                    parameter.grad = None if set_to_none else mindspore.ops.zeros_like(parameter.grad)

        def step(closure=None):
            loss = None if closure is None else closure()
            for tensor, parameter in twins.values():
                parameter.grad = tensor.grad
                mindspore.ops.assign(parameter, tensor)
            with mindspore._no_grad():
                reached = [one.grad is not None for one in optimizer.parameters]
                gradients = tuple(
                    mindspore.ops.zeros_like(one) if one.grad is None else one.grad
                    for one in optimizer.parameters
                )
                if all(reached) and not any(vars(optimizer).get("torch_missed", ())):
                    torch_step(optimizer, gradients)
                else:
                    torch_step_reached(optimizer, reached, gradients)
                for tensor, parameter in twins.values():
                    tensor[()] = parameter.value()
            return loss

        def copied(memo):
            """What `copy.deepcopy` asks for, with a network: what is compiled for one optimizer changes its parameters
            only, so the copy is made anew."""
            groups = [{"params": copy.deepcopy(list(one["params"]), memo)} for one in optimizer.param_groups]
            other = make(groups, *args, **kwargs)
            torch_load_optimizer_state(other, torch_optimizer_state(optimizer))
            return other

        optimizer.zero_grad, optimizer.step = zero_grad, step
        optimizer.state_dict = lambda: torch_optimizer_state(optimizer)
        optimizer.load_state_dict = lambda state_dict: torch_load_optimizer_state(optimizer, state_dict)
        record = TorchRecording.current().add
        names = [one.name for one in optimizer.parameters]
        vars(optimizer).update({"torch_record": record, "torch_names": names, "__deepcopy__": copied})
        record(optimizer.parameters)
        return optimizer

    # A class, for what registries and tests ask of one. It gives objects of `kind` alone.
    return type(kind.__name__, (kind,), {"__new__": lambda _, *args, **kwargs: make(*args, **kwargs)})
