import mindspore


class TorchMFCC(mindspore.nn.Cell):
    """torchaudio's MFCC of sound (..., time): cepstral coefficients (..., n_mfcc, frames)."""

    def __init__(
        self, sample_rate=16000, n_mfcc=40, dct_type=2, norm="ortho", log_mels=False, melkwargs=None
    ):
        super().__init__()
        self.n_mfcc, self.log_mels = n_mfcc, log_mels
        self.amplitude_to_DB = TorchAmplitudeToDB("power", 80.0)
        self.MelSpectrogram = TorchMelSpectrogram(sample_rate, **(melkwargs or {}))
        if dct_type != 2 or n_mfcc > self.MelSpectrogram.n_mels:
            raise ValueError("there is a transform of type 2, and no more coefficients than mels")
        self.register_buffer("dct_mat", torch_create_dct(n_mfcc, self.MelSpectrogram.n_mels, norm))

    def construct(self, waveform):
        mels = self.MelSpectrogram(waveform)
        mels = mindspore.ops.log(mels + 1e-6) if self.log_mels else self.amplitude_to_DB(mels)
        return mindspore.ops.matmul(mels.swapaxes(-1, -2), self.dct_mat).swapaxes(-1, -2)
