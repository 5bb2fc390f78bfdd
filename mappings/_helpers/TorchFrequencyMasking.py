import mindspore


class TorchFrequencyMasking(mindspore.nn.Cell):
    """torchaudio's FrequencyMasking of spectrograms (..., frequencies, frames)."""

    def __init__(self, freq_mask_param, iid_masks=False):
        super().__init__()
        self.mask_param, self.iid_masks = freq_mask_param, iid_masks

    def construct(self, specgram, mask_value=0.0):
        return torch_mask_along_axis(specgram, self.mask_param, mask_value, -2, iid_masks=self.iid_masks)
