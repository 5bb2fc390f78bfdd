import mindspore


def torch_kaiser_window(window_length, periodic=True, beta=12.0, *, dtype=None, **unused):
    """PyTorch's kaiser_window, where its arguments are not seen."""
    window = mindspore.ops.kaiser_window(int(window_length), periodic, beta)
    return window.astype(dtype or mindspore.float32)
