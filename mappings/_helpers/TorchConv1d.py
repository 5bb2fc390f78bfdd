import math

import mindspore


class TorchConv1d(mindspore.nn.Conv1d):
    """mindspore.nn.Conv1d with the arguments of PyTorch's, and its weight of three axes."""

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        **unused,
    ):
        sizes = {}
        for name, size in dict(kernel_size=kernel_size, stride=stride, dilation=dilation).items():
            sizes[name] = int(size[0] if isinstance(size, (tuple, list)) else size)
        mode = padding if isinstance(padding, str) else "pad"
        sides = 0
        if mode == "pad":
            sides = int(padding[0] if isinstance(padding, (tuple, list)) else padding)
        edges = ()
        if padding_mode != "zeros" and mode != "valid":
            around = sizes["dilation"] * (sizes["kernel_size"] - 1)
            edges = (around // 2, around - around // 2) if mode == "same" else (sides, sides)
            mode, sides = "valid", 0
        super().__init__(
            in_channels,
            out_channels,
            pad_mode=mode,
            padding=sides,
            group=groups,
            has_bias=bool(bias),
            **sizes,
        )
        # MindSpore keeps those of a convolution over two axes.
        self.kernel_size, self.stride, self.dilation = ((size,) for size in sizes.values())
        self.groups = groups
        self.edges = edges
        self.padding_mode = padding_mode
        self.padding = padding  # one number for each axis, as a subclass hands them to a function
        if not isinstance(padding, str):
            self.padding = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * 1
        self.sides = mode, sides
        self.weight = mindspore.Parameter(mindspore.ops.stop_gradient(self.weight.squeeze(2)))
        if type(self).reset_parameters is not TorchConv1d.reset_parameters:
            self.reset_parameters()  # a subclass draws in its own way

    def reset_parameters(self):
        """Draws the parameters again, as PyTorch does."""
        parts = (self.weight, self.bias if self.has_bias else None)
        torch_draw_uniform(parts, math.prod(self.weight.shape[1:]) ** -0.5)

    def construct(self, input):
        if self.edges:
            input = mindspore.ops.pad(input, self.edges, mode=self.padding_mode)
        mode, sides = self.sides
        output = mindspore.ops.conv1d(
            input, self.weight, None, self.stride, mode, sides, self.dilation, self.groups
        )
        # MindSpore refuses the gradient of its bias where the output has one step.
        return output if self.bias is None else output + self.bias.reshape((-1, 1))
