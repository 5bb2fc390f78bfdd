import mindspore


class TorchResample(mindspore.nn.Cell):
    """torchaudio's Resample of sound (..., time)."""

    def __init__(
        self, orig_freq=16000, new_freq=16000, resampling_method="sinc_interp_hann", lowpass_filter_width=6,
        rolloff=0.99, beta=None, *, dtype=None,
    ):  # fmt: skip
        super().__init__()
        self.orig_freq, self.new_freq = orig_freq, new_freq
        if orig_freq != new_freq:
            options = (lowpass_filter_width, rolloff, resampling_method, beta)
            kernel = torch_sinc_kernel(orig_freq, new_freq, *options)
            self.register_buffer("kernel", kernel if dtype is None else kernel.astype(dtype))

    def construct(self, waveform):
        kernel = getattr(self, "kernel", None)
        return torch_audio_resample(waveform, self.orig_freq, self.new_freq, kernel=kernel)
