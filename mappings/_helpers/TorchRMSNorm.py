import mindspore


class TorchRMSNorm(mindspore.nn.Cell):
    """PyTorch's RMSNorm: divides by the root mean square over the last axes."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.normalized_shape = shape
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self.axes = tuple(range(-len(shape), 0))
        if elementwise_affine:
            self.weight = mindspore.Parameter(mindspore.ops.ones(shape, dtype or mindspore.float32))
        else:
            self.weight = None

    def construct(self, x):
        eps = self.eps
        if eps is None:
            digits = {mindspore.float16: 10, mindspore.bfloat16: 7, mindspore.float64: 52}
            eps = 2.0 ** -digits.get(x.dtype, 23)
        y = x * mindspore.ops.rsqrt((x * x).mean(axis=self.axes, keep_dims=True) + eps)
        return y if self.weight is None else y * self.weight
