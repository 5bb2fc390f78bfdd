import mindspore


def torch_istft(
    input,
    n_fft,
    hop_length=None,
    win_length=None,
    window=None,
    center=True,
    normalized=False,
    onesided=None,
    length=None,
    return_complex=False,
):
    """PyTorch's istft for real signals: overlaps and adds the inverse transforms of the frames."""
    if return_complex:
        raise NotImplementedError("torch_istft gives real signals only")
    hop = n_fft // 4 if hop_length is None else hop_length
    width = n_fft if win_length is None else win_length
    spectrum = input.swapaxes(-1, -2)
    frames = mindspore.ops.irfft(spectrum, n_fft)  # of one that is not onesided the first half
    if normalized:
        frames = frames * n_fft**0.5
    if window is None:
        window = mindspore.ops.ones(width, frames.dtype)
    left = (n_fft - width) // 2
    window = mindspore.ops.pad(window, (left, n_fft - width - left))
    frames = (frames * window).reshape(-1, frames.shape[-2], n_fft)
    count = frames.shape[1]
    total = n_fft + hop * (count - 1)
    starts = (mindspore.ops.arange(count) * hop).expand_dims(1)
    places = (starts + mindspore.ops.arange(n_fft)).reshape(-1)
    flat = frames.reshape(frames.shape[0], -1).swapaxes(0, 1)
    signal = mindspore.ops.unsorted_segment_sum(flat, places, total).swapaxes(0, 1)
    squares = mindspore.ops.broadcast_to(window * window, (count, n_fft)).reshape(-1)
    weight = mindspore.ops.unsorted_segment_sum(squares, places, total)
    start = n_fft // 2 if center else 0
    end = total - start if length is None else min(start + length, total)
    signal = signal[:, start:end] / weight[start:end]
    if length is not None and end - start < length:
        signal = mindspore.ops.pad(signal, (0, length - (end - start)))
    return signal.reshape((*input.shape[:-2], signal.shape[-1]))
