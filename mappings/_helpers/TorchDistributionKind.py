import abc

import mindspore


class TorchDistributionKind(abc.ABCMeta):
    """What `isinstance` asks of TorchDistribution, which stands for all of PyTorch's: MindSpore's own are among them,
    and the classes that are put into files for others."""

    def __instancecheck__(cls, value):
        return super().__instancecheck__(value) or issubclass(type(value), cls)

    def __subclasscheck__(cls, kind):
        if super().__subclasscheck__(kind) or cls.__name__ != "TorchDistribution":
            return super().__subclasscheck__(kind)
        is_ours = any(one.__name__.startswith("Torch") for one in kind.__mro__) and hasattr(kind, "log_prob")
        return is_ours or issubclass(kind, mindspore.nn.probability.distribution.Distribution)
