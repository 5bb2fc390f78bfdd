import math

import mindspore
import numpy


def torch_kaldi_mfcc(
    waveform, *, cepstral_lifter=22.0, htk_compat=False, num_ceps=13, num_mel_bins=23, subtract_mean=False,
    use_energy=False, **options,
):  # fmt: skip
    """torchaudio's kaldi.mfcc: the cepstral coefficients of a sound (channels, time), (frames, num_ceps), as Kaldi's
    compute-mfcc-feats gives them."""
    if num_ceps > num_mel_bins:
        raise ValueError(f"{num_ceps} coefficients of {num_mel_bins} energies")
    mels = torch_kaldi_fbank(waveform, num_mel_bins=num_mel_bins, use_energy=use_energy, **options)
    energies, mels = mels[:, :1], mels[:, -num_mel_bins:]
    matrix = torch_create_dct(num_ceps, num_mel_bins, "ortho")
    result = mindspore.ops.matmul(mels, matrix)
    if cepstral_lifter:
        lifter = 1 + cepstral_lifter / 2 * numpy.sin(numpy.pi * numpy.arange(num_ceps) / cepstral_lifter)
        result = result * mindspore.tensor(lifter.astype(numpy.float32))
    first, others = energies if use_energy else result[:, :1], result[:, 1:]
    if htk_compat:
        result = mindspore.ops.cat((others, first if use_energy else first * math.sqrt(2)), 1)
    else:
        result = mindspore.ops.cat((first, others), 1)
    return result - result.mean(0) if subtract_mean else result
