import math

import mindspore


def torch_amplitude_to_db(x, multiplier, amin, db_multiplier, top_db=None):
    """torchaudio's amplitude_to_DB: `multiplier` * log10 of what is at least `amin`. With `top_db` nothing is further
    than that below the largest value of the same spectrogram, or of all channels of it."""
    decibels = mindspore.ops.log(mindspore.ops.clamp(x, amin)) * (multiplier / math.log(10))
    decibels = decibels - multiplier * db_multiplier
    if top_db is None:
        return decibels
    several = decibels.reshape((-1, x.shape[-3] if x.ndim > 2 else 1, *x.shape[-2:]))
    lowest = several.amax((-3, -2, -1), keepdims=True) - top_db
    return mindspore.ops.maximum(several, lowest).reshape(x.shape)
