import typing


class TorchProfilerKernel(typing.NamedTuple):
    """PyTorch's Kernel: what ran on a device, and how long in microseconds."""

    name: str
    device: int
    duration: int
