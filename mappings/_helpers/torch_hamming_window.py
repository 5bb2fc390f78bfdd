import mindspore


def torch_hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, **unused):
    """PyTorch's hamming_window, where its arguments are not seen."""
    window = mindspore.ops.hamming_window(int(window_length), periodic, alpha, beta)
    return window.astype(dtype or mindspore.float32)
