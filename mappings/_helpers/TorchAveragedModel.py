import copy

import mindspore


class TorchAveragedModel(mindspore.nn.Cell):
    """PyTorch's AveragedModel: a copy of a network that holds the mean of its weights."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = copy.deepcopy(model)
        self.n_averaged = 0
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def construct(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        pairs = list(zip(self.module.get_parameters(), model.get_parameters(), strict=True))
        averaged = [pair for pair in pairs if self.use_buffers or pair[1].requires_grad]
        for old, new in pairs:
            if self.n_averaged == 0 or not (self.use_buffers or new.requires_grad):
                old.set_data(new.value())
        if self.n_averaged and self.multi_avg_fn is not None:
            self.multi_avg_fn([old for old, _ in averaged], [new for _, new in averaged], self.n_averaged)
        elif self.n_averaged:
            for old, new in averaged:
                if self.avg_fn is None:
                    old.set_data(old + (new - old) / (self.n_averaged + 1))
                else:
                    old.set_data(self.avg_fn(old.value(), new.value(), self.n_averaged))
        self.n_averaged += 1
