import math

import mindspore
import numpy


def torch_kaldi_fbank(
    waveform, blackman_coeff=0.42, channel=-1, dither=0.0, energy_floor=1.0, frame_length=25.0, frame_shift=10.0,
    high_freq=0.0, htk_compat=False, low_freq=20.0, min_duration=0.0, num_mel_bins=23, preemphasis_coefficient=0.97,
    raw_energy=True, remove_dc_offset=True, round_to_power_of_two=True, sample_frequency=16000.0, snip_edges=True,
    subtract_mean=False, use_energy=False, use_log_fbank=True, use_power=True, vtln_high=-500.0, vtln_low=100.0,
    vtln_warp=1.0, window_type="povey",
):  # fmt: skip
    """torchaudio's kaldi.fbank: the energies of a sound (channels, time) on a mel scale, (frames, num_mel_bins), as
    Kaldi's compute-fbank-feats gives them."""
    if vtln_warp != 1:
        raise NotImplementedError("there is no warping of frequencies here")
    sound = waveform[max(channel, 0)]
    count, shift = len(sound), int(sample_frequency * frame_shift * 0.001)
    size = int(sample_frequency * frame_length * 0.001)
    if count < min_duration * sample_frequency:
        return mindspore.ops.zeros(0, dtype=sound.dtype)
    if not 2 <= size <= count or shift < 1:
        raise ValueError(f"frames of {size} samples, {shift} apart, of {count}")
    if snip_edges:
        starts = numpy.arange(0, count - size + 1, shift)
    else:
        starts = numpy.arange((count + shift // 2) // shift) * shift - (size // 2 - shift // 2)
    places = starts[:, None] + numpy.arange(size)
    places = numpy.where(places < 0, -1 - places, numpy.where(places < count, places, 2 * count - 1 - places))
    frames = sound[mindspore.tensor(places, dtype=mindspore.int32)]
    least = float(numpy.finfo(numpy.float32).eps)

    def energy():
        found = mindspore.ops.log(mindspore.ops.clamp((frames**2).sum(1, keepdims=True), least))
        return mindspore.ops.clamp(found, math.log(energy_floor)) if energy_floor else found

    if dither:
        frames = frames + mindspore.ops.randn_like(frames) * dither
    if remove_dc_offset:
        frames = frames - frames.mean(1, keep_dims=True)
    energies = energy() if raw_energy else None
    if preemphasis_coefficient:
        frames = frames - preemphasis_coefficient * mindspore.ops.cat((frames[:, :1], frames[:, :-1]), 1)
    turns = 2 * numpy.pi / (size - 1) * numpy.arange(size)
    hann = 0.5 - 0.5 * numpy.cos(turns)
    windows = {
        "hanning": hann, "povey": hann**0.85, "rectangular": numpy.ones(size),
        "hamming": 0.54 - 0.46 * numpy.cos(turns),
        "blackman": blackman_coeff - 0.5 * numpy.cos(turns) + (0.5 - blackman_coeff) * numpy.cos(2 * turns),
    }  # fmt: skip
    frames = frames * mindspore.tensor(windows[window_type].astype(numpy.float32))
    whole = 2 ** (size - 1).bit_length() if round_to_power_of_two else size
    frames = mindspore.ops.pad(frames, (0, whole - size))
    energies = energies if raw_energy else energy()
    spectrum = torch_abs(mindspore.ops.rfft(frames))
    nyquist = sample_frequency / 2
    high_freq = high_freq + nyquist * (high_freq <= 0)
    mels = [1127 * numpy.log(1 + hertz / 700) for hertz in (low_freq, high_freq)]
    edges = numpy.linspace(*mels, num_mel_bins + 2)
    at = 1127 * numpy.log(1 + numpy.arange(whole // 2 + 1)[:, None] * sample_frequency / whole / 700)
    rising, falling = (at - edges[:-2]) / numpy.diff(edges)[:-1], (edges[2:] - at) / numpy.diff(edges)[1:]
    filters = numpy.maximum(0, numpy.minimum(rising, falling)).astype(numpy.float32)
    filters[-1] = 0  # nothing is taken of the highest frequency
    result = mindspore.ops.matmul(spectrum**2 if use_power else spectrum, mindspore.tensor(filters))
    if use_log_fbank:
        result = mindspore.ops.log(mindspore.ops.clamp(result, least))
    if use_energy:
        result = mindspore.ops.cat((result, energies) if htk_compat else (energies, result), 1)
    return result - result.mean(0) if subtract_mean else result
