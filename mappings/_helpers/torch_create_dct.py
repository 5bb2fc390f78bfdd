import mindspore
import numpy


def torch_create_dct(n_mfcc, n_mels, norm):
    """torchaudio's create_dct: the matrix (n_mels, n_mfcc) of a discrete cosine transform, orthonormal or not."""
    if norm not in (None, "ortho"):
        raise ValueError(f"no such norm: {norm}")
    waves = numpy.cos(numpy.pi / n_mels * (numpy.arange(n_mels)[:, None] + 0.5) * numpy.arange(n_mfcc))
    scale = 2 if norm is None else numpy.sqrt(numpy.where(numpy.arange(n_mfcc), 2, 1) / n_mels)
    return mindspore.tensor((waves * scale).astype(numpy.float32))
