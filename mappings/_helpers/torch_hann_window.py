import mindspore


def torch_hann_window(window_length, periodic=True, *, dtype=None, **unused):
    """PyTorch's hann_window, where its arguments are not seen."""
    window = mindspore.ops.hann_window(int(window_length), periodic)
    return window.astype(dtype or mindspore.float32)
