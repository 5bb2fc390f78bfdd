import mindspore


def torch_renorm_rows(table, rows, max_norm, norm_type=2.0):
    """PyTorch's embedding_renorm_: those rows of a table that are longer than max_norm get that length, in place."""
    with mindspore._no_grad():
        values = mindspore.ops.stop_gradient(table)
        lengths = mindspore.ops.norm(values, ord=norm_type, dim=1, keepdim=True)
        is_asked_for = mindspore.ops.zeros((table.shape[0], 1), table.dtype)
        asked_for = rows.reshape(-1).astype(mindspore.int32)
        is_asked_for = mindspore.ops.index_fill(is_asked_for, 0, asked_for, 1.0)
        is_long = mindspore.ops.logical_and(is_asked_for > 0, lengths > max_norm)
        shortened = mindspore.ops.where(is_long, values * (max_norm / (lengths + 1e-7)), values)
    TorchElements(table)[()] = shortened
