import math

import mindspore


class TorchConv3d(mindspore.nn.Conv3d):
    """mindspore.nn.Conv3d with the arguments of PyTorch's."""

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
            sizes[name] = tuple(size) if isinstance(size, list) else size
        mode = padding if isinstance(padding, str) else "pad"
        sides = 0
        if mode == "pad":
            sides = (
                tuple(side for side in padding for _ in (0, 1))
                if isinstance(padding, (tuple, list))
                else padding
            )
        edges = ()
        if padding_mode != "zeros" and mode != "valid":
            if mode == "same":
                kernel, steps = (
                    (size,) * 3 if isinstance(size, int) else size
                    for size in (sizes["kernel_size"], sizes["dilation"])
                )
                around = [step * (length - 1) for length, step in zip(kernel, steps)]
                ends = [(total // 2, total - total // 2) for total in around]
            else:
                ends = [(side, side) for side in (sides[::2] if isinstance(sides, tuple) else (sides,) * 3)]
            edges = tuple(side for pair in reversed(ends) for side in pair)  # from the last axis on
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
        self.groups = groups
        self.edges = edges
        self.padding_mode = padding_mode
        self.padding = padding  # one number for each axis, as a subclass hands them to a function
        if not isinstance(padding, str):
            self.padding = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * 3
        if type(self).reset_parameters is not TorchConv3d.reset_parameters:
            self.reset_parameters()  # a subclass draws in its own way

    def reset_parameters(self):
        """Draws the parameters again, as PyTorch does."""
        parts = (self.weight, self.bias if self.has_bias else None)
        torch_draw_uniform(parts, math.prod(self.weight.shape[1:]) ** -0.5)

    def construct(self, input):
        if self.edges and self.padding_mode == "reflect":
            # Reflecting takes four axes at most, so the first of the three goes by itself.
            batch, channels, depth, height, width = input.shape
            input = input.reshape(batch, channels, depth, height * width)
            input = mindspore.ops.pad(input, (0, 0, *self.edges[4:]), mode="reflect")
            input = input.reshape(batch, -1, height, width)
            input = mindspore.ops.pad(input, self.edges[:4], mode="reflect")
            input = input.reshape(batch, channels, -1, *input.shape[2:])
        elif self.edges:
            input = mindspore.ops.pad(input, self.edges, mode=self.padding_mode)
        return super().construct(input)
