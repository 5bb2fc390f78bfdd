def torch_running(norm, name):
    """The running `mean` or `var` of a norm, by the name that its class has for it."""
    of_mindspore = {"mean": "moving_mean", "var": "moving_variance"}[name]
    norm = getattr(norm, "bn2d", norm)  # of MindSpore's BatchNorm3d
    return getattr(norm, of_mindspore) if hasattr(norm, of_mindspore) else getattr(norm, f"running_{name}")
