import mindspore


class TorchMelSpectrogram(mindspore.nn.Cell):
    """torchaudio's MelSpectrogram of sound (..., time): (..., n_mels, frames)."""

    def __init__(
        self, sample_rate=16000, n_fft=400, win_length=None, hop_length=None, f_min=0.0, f_max=None, pad=0,
        n_mels=128, window_fn=None, power=2.0, normalized=False, wkwargs=None, center=True, pad_mode="reflect",
        onesided=None, norm=None, mel_scale="htk",
    ):  # fmt: skip
        super().__init__()
        self.sample_rate, self.n_fft, self.n_mels = sample_rate, n_fft, n_mels
        self.spectrogram = TorchSpectrogram(
            n_fft, win_length, hop_length, pad, window_fn, power, normalized, wkwargs, center, pad_mode
        )
        self.hop_length, self.win_length = self.spectrogram.hop_length, self.spectrogram.win_length
        self.mel_scale = TorchMelScale(n_mels, sample_rate, f_min, f_max, n_fft // 2 + 1, norm, mel_scale)

    def construct(self, waveform):
        return self.mel_scale(self.spectrogram(waveform))
