import typing


class TorchQConfig(typing.NamedTuple):
    """PyTorch's QConfig: what makes the observers of a layer's results and of its weights."""

    activation: typing.Any
    weight: typing.Any
