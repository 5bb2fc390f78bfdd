import mindspore


class TorchSpectrogram(mindspore.nn.Cell):
    """torchaudio's Spectrogram of sound (..., time): (..., frequencies, frames)."""

    def __init__(
        self, n_fft=400, win_length=None, hop_length=None, pad=0, window_fn=None, power=2.0, normalized=False,
        wkwargs=None, center=True, pad_mode="reflect", onesided=True, return_complex=None,
    ):  # fmt: skip
        super().__init__()
        self.n_fft, self.win_length = n_fft, win_length or n_fft
        self.hop_length = hop_length or self.win_length // 2
        window = (window_fn or mindspore.ops.hann_window)(self.win_length, **(wkwargs or {}))
        self.register_buffer("window", window)
        self.pad, self.power, self.normalized = pad, power, normalized
        self.center, self.pad_mode, self.onesided = center, pad_mode, onesided

    def construct(self, waveform):
        if self.pad:
            waveform = mindspore.ops.pad(waveform, (self.pad, self.pad))
        window = self.window
        if self.normalized in (True, "window"):
            window = window / (window**2).sum().sqrt()
        spectrum = torch_stft(
            waveform.reshape(-1, waveform.shape[-1]), self.n_fft, self.hop_length, self.win_length, window,
            self.center, self.pad_mode, self.normalized == "frame_length", self.onesided, True,
        )  # fmt: skip
        spectrum = spectrum.reshape(waveform.shape[:-1] + spectrum.shape[-2:])
        if self.power is None:
            return spectrum
        return torch_abs(spectrum) if self.power == 1 else torch_abs(spectrum) ** self.power
