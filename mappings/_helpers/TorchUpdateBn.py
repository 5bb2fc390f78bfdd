import mindspore


def TorchUpdateBn(loader, model, device=None):
    """Computes the statistics of batch normalisation anew from data, as PyTorch's update_bn."""
    seen = {}

    def remember(cell, inputs):
        axes = tuple(axis for axis in range(inputs[0].ndim) if axis != 1)
        means, variances = seen.setdefault(id(cell), (cell, [], []))[1:]
        means.append(inputs[0].mean(axes))
        variances.append(mindspore.ops.var(inputs[0], axes, ddof=1))

    kinds = (mindspore.nn.BatchNorm1d, mindspore.nn.BatchNorm2d, mindspore.nn.BatchNorm3d)
    cells = [cell for _, cell in model.cells_and_names() if isinstance(cell, kinds)]
    handles = [cell.register_forward_pre_hook(remember) for cell in cells]
    was_training = model.training
    model.set_train()
    for batch in loader:
        model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for handle in handles:
        handle.remove()
    for cell, means, variances in seen.values():
        cell.moving_mean.set_data(mindspore.ops.stack(means).mean(0))
        cell.moving_variance.set_data(mindspore.ops.stack(variances).mean(0))
    model.set_train(was_training)
