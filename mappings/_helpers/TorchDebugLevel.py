import enum


class TorchDebugLevel(enum.Enum):
    """PyTorch's levels of logs about communication."""

    OFF = 0
    INFO = 1
    DETAIL = 2
