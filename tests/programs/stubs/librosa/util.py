import numpy as np


def normalize(samples):
    """Scale to a largest value of 1, as librosa does by default."""
    largest = np.abs(samples).max()
    return samples / largest if largest > np.finfo(samples.dtype).tiny else samples
