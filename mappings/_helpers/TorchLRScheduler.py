import mindspore


class TorchLRScheduler(mindspore.experimental.optim.lr_scheduler.LRScheduler):
    """The base class of PyTorch's schedulers: epochs and rates are plain numbers, so they are indices and keys, too."""

    _get_lr_called_within_step = False

    def __init__(self, optimizer, last_epoch=-1, verbose=False):
        self._step_count = 0
        super().__init__(optimizer, last_epoch)

    def __setattr__(self, name, value):
        if name == "last_epoch" and isinstance(value, mindspore.Tensor):
            value = int(value)
        elif name in ("base_lrs", "_last_lr"):
            value = [float(rate) for rate in value]
        elif isinstance(value, mindspore.experimental.optim.lr_scheduler.LRScheduler):
            torch_note_rates(value)
        super().__setattr__(name, value)

    def get_last_lr(self):
        return self._last_lr

    def step(self, epoch=None):
        self._step_count += 1
        self._get_lr_called_within_step = True
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        closed_form = getattr(self, "_get_closed_form_lr", None)
        rates = self.get_lr() if epoch is None or closed_form is None else closed_form()
        self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, rates):
            mindspore.ops.assign(group["lr"], float(rate))
        self._last_lr = rates
