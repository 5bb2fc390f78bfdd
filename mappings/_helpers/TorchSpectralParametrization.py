import mindspore


class TorchSpectralParametrization(mindspore.nn.Cell):
    """Divides a weight by its largest singular value, which is followed by power iteration in training mode."""

    def __init__(self, weight, n_power_iterations, eps, dim):
        super().__init__()
        self.iterations, self.eps, self.dim = n_power_iterations, eps, dim
        matrix = self.matrix(weight)
        for name, size in zip(("_u", "_v"), matrix.shape):
            vector = self.unit(mindspore.ops.standard_normal((size,)).astype(weight.dtype))
            kept = mindspore.Parameter(vector, requires_grad=False)
            kept.is_buffer = True  # which PyTorch keeps it as
            self.insert_param_to_cell(name, kept)
        self.iterate(matrix, 15)

    def matrix(self, weight):
        order = (self.dim, *(axis for axis in range(weight.ndim) if axis != self.dim))
        return mindspore.ops.transpose(weight, order).reshape(weight.shape[self.dim], -1)

    def unit(self, vector):
        return vector / mindspore.ops.maximum(mindspore.ops.sqrt((vector * vector).sum()), self.eps)

    def iterate(self, matrix, count):
        fixed, u, v = mindspore.ops.stop_gradient(matrix), self._u, self._v
        for _ in range(count):
            u = self.unit(mindspore.ops.matmul(fixed, v))
            v = self.unit(mindspore.ops.matmul(fixed.T, u))
        self._u.set_data(u)
        self._v.set_data(v)

    def construct(self, weight):
        matrix = self.matrix(weight)
        if self.training:
            self.iterate(matrix, self.iterations)
        u, v = mindspore.ops.stop_gradient(self._u * 1), mindspore.ops.stop_gradient(self._v * 1)
        return weight / (u * mindspore.ops.matmul(matrix, v)).sum()
