import mindspore


def torch_flat_steps(input, sizes, batch_first):
    """The values of padded sequences, longest first, step by step: of each step as many as its size says."""
    if batch_first:
        input = input.swapaxes(0, 1)
    batch = input.shape[1]
    places = [step * batch + row for step, size in enumerate(sizes) for row in range(size)]
    return mindspore.ops.gather(
        input.reshape(-1, *input.shape[2:]), mindspore.Tensor(places, mindspore.int32), 0
    )
