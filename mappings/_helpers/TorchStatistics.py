import mindspore


class TorchStatistics:
    """A norm whose running statistics are assigned by PyTorch's names. MindSpore's norms call them otherwise, and would
    keep what another name is given beside them; norms of the project's own keep their names."""

    _of_mindspore = {"running_mean": "moving_mean", "running_var": "moving_variance"}

    def __init__(self, norm):
        self.__dict__["_norm"] = norm
        self.__dict__["_keeper"] = getattr(norm, "bn2d", norm)  # of MindSpore's BatchNorm3d

    def __getattr__(self, name):
        is_of_mindspore = self._is_of_mindspore(name)
        return (
            getattr(self._keeper, self._of_mindspore[name]) if is_of_mindspore else getattr(self._norm, name)
        )

    def __setattr__(self, name, value):
        if self._is_of_mindspore(name):
            getattr(self._keeper, self._of_mindspore[name]).set_data(mindspore.ops.stop_gradient(value))
        else:
            setattr(self._norm, name, value)

    def _is_of_mindspore(self, name):
        return hasattr(self._keeper, self._of_mindspore[name])
