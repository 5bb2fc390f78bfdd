import math

import mindspore


def torch_audio_resample(
    waveform, orig_freq, new_freq, lowpass_filter_width=6, rolloff=0.99,
    resampling_method="sinc_interp_hann", beta=None, *, kernel=None,
):  # fmt: skip
    """torchaudio's resample of sound (..., time); `kernel` is the one of these frequencies, where it is known."""
    if orig_freq == new_freq:
        return waveform
    if kernel is None:
        options = (lowpass_filter_width, rolloff, resampling_method, beta)
        kernel = torch_sinc_kernel(orig_freq, new_freq, *options).astype(waveform.dtype)
    divisor = math.gcd(int(orig_freq), int(new_freq))
    old, new, length = int(orig_freq) // divisor, int(new_freq) // divisor, waveform.shape[-1]
    width = (kernel.shape[-1] - old) // 2
    samples = mindspore.ops.pad(waveform.reshape(-1, length), (width, width + old))
    found = mindspore.ops.conv1d(samples[:, None], kernel, stride=old).swapaxes(1, 2)
    found = found.reshape(samples.shape[0], -1)[:, : math.ceil(new * length / old)]
    return found.reshape(waveform.shape[:-1] + found.shape[-1:])
