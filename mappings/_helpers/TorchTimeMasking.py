import mindspore


class TorchTimeMasking(mindspore.nn.Cell):
    """torchaudio's TimeMasking of spectrograms (..., frequencies, frames)."""

    def __init__(self, time_mask_param, iid_masks=False, p=1.0):
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"p is a share of the frames, not {p}")
        self.mask_param, self.iid_masks, self.p = time_mask_param, iid_masks, p

    def construct(self, specgram, mask_value=0.0):
        return torch_mask_along_axis(specgram, self.mask_param, mask_value, -1, self.p, self.iid_masks)
