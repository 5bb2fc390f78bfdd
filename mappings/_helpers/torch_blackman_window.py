import mindspore


def torch_blackman_window(window_length, periodic=True, *, dtype=None, **unused):
    """PyTorch's blackman_window, where its arguments are not seen."""
    window = mindspore.ops.blackman_window(mindspore.tensor(int(window_length)), periodic)
    return window.astype(dtype or mindspore.float32)
