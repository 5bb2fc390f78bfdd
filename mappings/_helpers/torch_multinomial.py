import mindspore
import numpy


def torch_multinomial(input, num_samples, replacement=False, *, generator=None):
    """PyTorch's multinomial with a generator: indices, drawn with the weights that a row has for them."""
    weights = input.asnumpy().astype(numpy.float64)
    rows = weights.reshape(-1, weights.shape[-1])
    rows = rows / rows.sum(-1, keepdims=True)
    draws = torch_draws(generator)
    drawn = [draws.choice(row.size, num_samples, replacement, row) for row in rows]
    return mindspore.Tensor(numpy.array(drawn).reshape(*weights.shape[:-1], num_samples), mindspore.int64)
