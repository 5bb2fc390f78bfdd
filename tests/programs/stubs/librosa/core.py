import numpy as np
import scipy.io.wavfile


def load(path, sr=22050):
    """The samples of a file that has this rate already, between -1 and 1."""
    rate, samples = scipy.io.wavfile.read(path)
    assert rate == sr, "what changes the rate is left out here"
    return samples.astype("float32") / np.iinfo(samples.dtype).max, sr
