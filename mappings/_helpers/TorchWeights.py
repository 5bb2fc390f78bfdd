import dataclasses
import typing


@dataclasses.dataclass
class TorchWeights:
    """torchvision's Weights: where a file of trained weights lies, and what is known about it."""

    url: str
    transforms: typing.Callable
    meta: dict
