import mindspore


def adaptive_avg_pool2d_by_weights(x, output_size):
    """Adaptive average pooling as a product with weights for rows and for columns, which can be differentiated
    twice."""
    wanted = (output_size, output_size) if isinstance(output_size, int) else output_size
    weights = []
    for length, places in zip(x.shape[-2:], wanted):
        places = length if places is None else places
        rows = []
        for place in range(places):
            first, end = place * length // places, -(-(place + 1) * length // places)
            rows.append([1.0 / (end - first) if first <= one < end else 0.0 for one in range(length)])
        weights.append(rows)
    down = mindspore.tensor(weights[0], x.dtype)
    across = mindspore.tensor([list(column) for column in zip(*weights[1])], x.dtype)
    return mindspore.ops.matmul(mindspore.ops.matmul(down, x), across)
