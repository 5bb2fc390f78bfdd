import mindspore


class TorchOwnBatchNorm1d(TorchBatchNorm1d):
    """PyTorch's BatchNorm1d for classes with a forward of their own: its momentum weighs the batch, its statistics can
    be assigned, and it counts batches."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, **unused):
        super().__init__(num_features, eps, momentum, affine, track_running_stats)
        self.num_features = num_features
        self.momentum = momentum
        self.num_batches_tracked = mindspore.Tensor(0) if track_running_stats else None

    def _check_input_dim(self, input):
        pass

    __setattr__ = TorchBatchNorm.__setattr__
    reset_running_stats = TorchBatchNorm.reset_running_stats
    reset_parameters = TorchBatchNorm.reset_parameters
    construct = TorchBatchNorm.construct
    running_mean = TorchBatchNorm.running_mean
    running_var = TorchBatchNorm.running_var


TorchOwnBatchNorm1d.__name__ = "BatchNorm1d"  # code may ask for it
