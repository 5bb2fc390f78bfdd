import mindspore


def torch_reset_running_stats(norm):
    """PyTorch's reset_running_stats of a batch norm, its own or MindSpore's."""
    if hasattr(norm, "reset_running_stats"):
        norm.reset_running_stats()
        return
    kept = getattr(norm, "bn2d", norm)
    # After `moving_mean[()] = 0` MindSpore's kernel would not write into it any more.
    kept.moving_mean.set_data(mindspore.ops.zeros_like(kept.moving_mean))
    kept.moving_variance.set_data(mindspore.ops.ones_like(kept.moving_variance))
    if getattr(norm, "batches_averaged", None) is not None:
        norm.batches_averaged = 0
