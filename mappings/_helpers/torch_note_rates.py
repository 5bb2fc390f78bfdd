def torch_note_rates(scheduler):
    """Lets a scheduler give the rates of its own last step, as PyTorch's do; MindSpore's gives those of the optimizer,
    which another scheduler may have set."""
    step, rates = scheduler.step, [float(group["lr"]) for group in scheduler.optimizer.param_groups]

    def stepped(*arguments):
        step(*arguments)
        rates[:] = [float(group["lr"]) for group in scheduler.optimizer.param_groups]

    scheduler.step, scheduler.get_last_lr = stepped, rates.copy
