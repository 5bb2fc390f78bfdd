import mindspore


class TorchDataParallel(mindspore.nn.Cell):
    """PyTorch's DataParallel on one device: hands its inputs on to `module`, whose parameters it names `module.*`."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module = module
        self.set_train(module.training)

    def construct(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)
