import mindspore


def torch_bartlett_window(window_length, periodic=True, *, dtype=None, **unused):
    """PyTorch's bartlett_window, where its arguments are not seen."""
    window = mindspore.ops.bartlett_window(mindspore.tensor(int(window_length)), periodic)
    return window.astype(dtype or mindspore.float32)
