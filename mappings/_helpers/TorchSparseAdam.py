import mindspore


class TorchSparseAdam(mindspore.experimental.optim.optimizer.Optimizer):
    """PyTorch's SparseAdam: a row that a batch does not use keeps its value and its moments. Gradients are dense in
    MindSpore, so a row is taken for unused where its gradient is zero."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, maximize=False):
        super().__init__(torch_named_apart(params), dict(lr=lr, betas=betas, eps=eps, maximize=maximize))
        self.exp_avg = self.parameters.clone(prefix="exp_avg", init="zeros")
        self.exp_avg_sq = self.parameters.clone(prefix="exp_avg_sq", init="zeros")
        self.steps = 0

    def construct(self, gradients):
        self.steps += 1
        place = 0
        for number, group in enumerate(self.param_groups):
            written = group.get("lr")
            rate = written if isinstance(written, float) else float(self.lrs[number])
            (first, second), eps = group["betas"], group["eps"]
            rate *= (1 - second**self.steps) ** 0.5 / (1 - first**self.steps)
            for parameter in group["params"]:
                gradient = -gradients[place] if group["maximize"] else gradients[place]
                average, square = self.exp_avg[place], self.exp_avg_sq[place]
                place += 1
                rows, *others = gradient.shape
                is_used = gradient.reshape(rows, -1).ne(0).any(1).reshape(rows, *(1 for _ in others))
                moved = average + (gradient - average) * (1 - first)
                squared = square + (gradient * gradient - square) * (1 - second)
                step = rate * moved / (squared.sqrt() + eps)
                average.set_data(mindspore.ops.where(is_used, moved, average))
                square.set_data(mindspore.ops.where(is_used, squared, square))
                parameter.set_data(mindspore.ops.where(is_used, parameter - step, parameter))
        return True
