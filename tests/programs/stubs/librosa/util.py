import numpy as np


def normalize(samples):
    """Scale to a largest value of 1, as librosa does by default."""
    largest = np.abs(samples).max()
    return samples / largest if largest > np.finfo(samples.dtype).tiny else samples


def tiny(samples):
    """The smallest positive number of this dtype, or of float32 for integers."""
    kind = np.asarray(samples).dtype
    return np.finfo(kind if np.issubdtype(kind, np.inexact) else np.float32).tiny


def pad_center(samples, *, size):
    """As many zeros on both sides as make it that long."""
    left = (size - len(samples)) // 2
    return np.pad(samples, (left, size - len(samples) - left))
