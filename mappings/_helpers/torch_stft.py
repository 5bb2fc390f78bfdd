import mindspore
import numpy


def torch_stft(
    input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect",
    normalized=False, onesided=None, return_complex=None,
):  # fmt: skip
    """PyTorch's stft, made of frames and their transforms: mindspore.ops.stft has no gradient."""
    hop_length, win_length = hop_length or n_fft // 4, win_length or n_fft
    signal, half = input[None] if input.ndim == 1 else input, n_fft // 2 if center else 0
    if half and pad_mode == "constant":
        signal, half = mindspore.ops.pad(signal, (half, half)), 0
    modes = {"replicate": "edge", "circular": "wrap"}
    places = numpy.pad(numpy.arange(signal.shape[-1]), half, mode=modes.get(pad_mode, "reflect"))
    starts = numpy.arange(0, len(places) - n_fft + 1, hop_length)
    frames = signal[:, mindspore.tensor(places[starts[:, None] + numpy.arange(n_fft)], dtype=mindspore.int32)]
    weights = mindspore.ops.ones(win_length, dtype=mindspore.float32) if window is None else window
    before = (n_fft - win_length) // 2
    weights = mindspore.ops.pad(weights, (before, n_fft - win_length - before))
    if normalized:
        weights = weights * n_fft**-0.5
    is_complex = signal.dtype in (mindspore.complex64, mindspore.complex128)
    transform = mindspore.ops.fft if is_complex or onesided is False else mindspore.ops.rfft
    result = transform(frames * weights.astype(frames.dtype)).swapaxes(-1, -2)
    result = result[0] if input.ndim == 1 else result
    if return_complex:
        return result
    return mindspore.ops.stack((mindspore.ops.real(result), mindspore.ops.imag(result)), -1)
