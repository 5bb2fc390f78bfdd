import typing


class TorchWorkerInfo(typing.NamedTuple):
    """PyTorch's WorkerInfo: name and number of a process."""

    name: str
    id: int
