import mindspore


class TorchMelScale(mindspore.nn.Cell):
    """torchaudio's MelScale: from the frequencies of a spectrogram (..., frequencies, frames) to mels."""

    def __init__(
        self, n_mels=128, sample_rate=16000, f_min=0.0, f_max=None, n_stft=201, norm=None, mel_scale="htk"
    ):
        super().__init__()
        self.n_mels, self.sample_rate, self.n_stft = n_mels, sample_rate, n_stft
        self.f_min, self.f_max = f_min, float(sample_rate // 2) if f_max is None else f_max
        if self.f_min > self.f_max:
            raise ValueError(f"f_min {self.f_min} is more than f_max {self.f_max}")
        filters = torch_melscale_fbanks(n_stft, self.f_min, self.f_max, n_mels, sample_rate, norm, mel_scale)
        self.register_buffer("fb", filters)

    def construct(self, specgram):
        return mindspore.ops.matmul(specgram.swapaxes(-1, -2), self.fb).swapaxes(-1, -2)
