import mindspore


class TorchNormalize:
    """Subtracts the mean of each channel of a tensor and divides by its deviation."""

    def __init__(self, mean, std, inplace=False):
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def __call__(self, tensor):
        mean, std = (mindspore.Tensor(one, tensor.dtype) for one in (self.mean, self.std))
        if (std == 0).any():
            raise ValueError("a deviation of 0 cannot divide")
        mean, std = (one.reshape(-1, 1, 1) if one.ndim == 1 else one for one in (mean, std))
        result = (tensor - mean) / std
        if self.inplace:
            tensor[()] = result
        return tensor if self.inplace else result
