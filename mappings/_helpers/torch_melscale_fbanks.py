import math

import mindspore
import numpy


def torch_melscale_fbanks(n_freqs, f_min, f_max, n_mels, sample_rate, norm=None, mel_scale="htk"):
    """torchaudio's melscale_fbanks: triangles over the frequencies of a spectrogram, evenly far apart on a mel scale;
    a matrix (n_freqs, n_mels)."""
    if mel_scale not in ("htk", "slaney") or norm not in (None, "slaney"):
        raise ValueError(f"no such mel scale or norm: {mel_scale}, {norm}")
    step = math.log(6.4) / 27  # of Slaney's scale above 1,000 Hz, which is 15 mels; a mel is 200 / 3 Hz below

    def mels(hertz):
        if mel_scale == "htk":
            return 2595 * math.log10(1 + hertz / 700)
        return hertz * 3 / 200 if hertz < 1000 else 15 + math.log(hertz / 1000) / step

    edges = numpy.linspace(mels(f_min), mels(f_max), n_mels + 2)
    if mel_scale == "htk":
        edges = 700 * (10 ** (edges / 2595) - 1)
    else:
        edges = numpy.where(edges < 15, edges * 200 / 3, 1000 * numpy.exp(step * (edges - 15)))
    places = numpy.linspace(0, sample_rate // 2, n_freqs)[:, None]
    widths = numpy.diff(edges)
    rising, falling = (places - edges[:-2]) / widths[:-1], (edges[2:] - places) / widths[1:]
    filters = numpy.maximum(0, numpy.minimum(rising, falling))
    if norm == "slaney":
        filters = filters * 2 / (edges[2:] - edges[:-2])
    return mindspore.tensor(filters.astype(numpy.float32))
