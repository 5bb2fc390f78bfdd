import math

import mindspore
import numpy


def torch_sinc_kernel(
    orig_freq, new_freq, lowpass_filter_width=6, rolloff=0.99, resampling_method="sinc_interp_hann", beta=None
):
    """The windowed sincs that torchaudio resamples sound with, one for each place that new samples have between old
    ones: (places, 1, samples)."""
    if min(orig_freq, new_freq) <= 0 or int(orig_freq) != orig_freq or int(new_freq) != new_freq:
        raise ValueError("frequencies are whole numbers above 0")
    divisor = math.gcd(int(orig_freq), int(new_freq))
    old, new = int(orig_freq) // divisor, int(new_freq) // divisor
    cutoff = min(old, new) * rolloff
    width = math.ceil(lowpass_filter_width * old / cutoff)
    times = numpy.arange(-width, width + old) / old - numpy.arange(new)[:, None] / new
    times = numpy.clip(times * cutoff, -lowpass_filter_width, lowpass_filter_width)
    if resampling_method in ("sinc_interp_hann", "sinc_interpolation"):
        window = numpy.cos(times * numpy.pi / lowpass_filter_width / 2) ** 2
    elif resampling_method in ("sinc_interp_kaiser", "kaiser_window"):
        beta = 14.769656459379492 if beta is None else beta
        window = numpy.i0(beta * numpy.sqrt(1 - (times / lowpass_filter_width) ** 2)) / numpy.i0(beta)
    else:
        raise ValueError(f"no such method: {resampling_method}")
    return mindspore.tensor((numpy.sinc(times) * window * (cutoff / old)).astype(numpy.float32)[:, None])
