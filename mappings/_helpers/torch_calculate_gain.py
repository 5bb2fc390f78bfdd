import math


def torch_calculate_gain(nonlinearity, param=None):
    """The gain that torch.nn.init recommends for an activation; `param` is the slope of leaky_relu."""
    if nonlinearity in ("linear", "sigmoid") or nonlinearity.startswith("conv"):
        return 1
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    gains = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
    if nonlinearity not in gains:
        raise ValueError(f"no gain is known for {nonlinearity!r}")
    return gains[nonlinearity]
