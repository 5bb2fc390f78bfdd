import mindspore


def torch_lstm_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """PyTorch's lstm_cell: one step of a long short-term memory layer, gates in the order i, f, g, o."""
    hidden, cell = hx
    gates = mindspore.ops.matmul(input, w_ih.T) + mindspore.ops.matmul(hidden, w_hh.T)
    for bias in (b_ih, b_hh):
        if bias is not None:
            gates = gates + bias
    i, f, g, o = mindspore.ops.chunk(gates, 4, -1)
    sigmoid, tanh = mindspore.ops.sigmoid, mindspore.ops.tanh
    cell = sigmoid(f) * cell + sigmoid(i) * tanh(g)
    return sigmoid(o) * tanh(cell), cell
