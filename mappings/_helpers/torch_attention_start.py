import mindspore


def torch_attention_start(cell):
    """The cell, with the start of PyTorch's attention: its output projections begin with biases of zero."""
    for _, part in cell.cells_and_names():
        if isinstance(part, mindspore.nn.MultiheadAttention) and part.out_proj.has_bias:
            part.out_proj.bias.set_data(mindspore.ops.zeros_like(part.out_proj.bias))
    return cell
