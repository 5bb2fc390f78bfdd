import mindspore


class TorchAmplitudeToDB(mindspore.nn.Cell):
    """torchaudio's AmplitudeToDB: decibels of a spectrogram of powers, or of amplitudes."""

    def __init__(self, stype="power", top_db=None):
        super().__init__()
        if top_db is not None and top_db < 0:
            raise ValueError("top_db is below 0")
        self.stype, self.top_db = stype, top_db

    def construct(self, x):
        return torch_amplitude_to_db(x, 10.0 if self.stype == "power" else 20.0, 1e-10, 0.0, self.top_db)
