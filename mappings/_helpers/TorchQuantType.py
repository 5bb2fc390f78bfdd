import enum


class TorchQuantType(enum.IntEnum):
    """PyTorch's ways to quantize."""

    DYNAMIC = 0
    STATIC = 1
    QAT = 2
    WEIGHT_ONLY = 3
