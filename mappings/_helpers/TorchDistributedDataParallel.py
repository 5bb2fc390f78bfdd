import contextlib

import mindspore


class TorchDistributedDataParallel(mindspore.nn.Cell):
    """PyTorch's DistributedDataParallel in one process: hands its inputs on to `module`, whose parameters it names
    `module.*`. It does not average gradients over processes, so there must be no others."""

    def __init__(self, module, *settings, **named_settings):
        super().__init__()
        if mindspore.mint.distributed.get_world_size() > 1:
            raise NotImplementedError("average the gradients with mindspore.nn.DistributedGradReducer")
        self.module = module
        self.set_train(module.training)

    def construct(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    def no_sync(self):
        return contextlib.nullcontext()
