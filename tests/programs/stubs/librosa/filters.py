import numpy as np

# Slaney's scale: linear below 1000 Hz, logarithmic above.
HERTZ_A_MEL = 200.0 / 3
CORNER_HERTZ = 1000.0
CORNER_MEL = CORNER_HERTZ / HERTZ_A_MEL
LOG_STEP = np.log(6.4) / 27.0


def mel(*, sr, n_fft, n_mels=128, fmin=0.0, fmax=None):
    """The filters as rows, each of the area 1 (librosa's defaults htk=False and norm="slaney")."""
    edges = _hertz(np.linspace(_mel(fmin), _mel(sr / 2 if fmax is None else fmax), n_mels + 2))
    distances = edges[:, None] - np.linspace(0, sr / 2, n_fft // 2 + 1)[None, :]
    widths = np.diff(edges)[:, None]
    rising, falling = -distances[:-2] / widths[:-1], distances[2:] / widths[1:]
    filters = np.maximum(0, np.minimum(rising, falling))
    return (filters * (2.0 / (edges[2:] - edges[:-2]))[:, None]).astype("float32")


def _mel(hertz):
    linear = hertz / HERTZ_A_MEL
    return linear if hertz < CORNER_HERTZ else CORNER_MEL + np.log(hertz / CORNER_HERTZ) / LOG_STEP


def _hertz(mels):
    above = CORNER_HERTZ * np.exp(LOG_STEP * (mels - CORNER_MEL))
    return np.where(mels < CORNER_MEL, mels * HERTZ_A_MEL, above)
