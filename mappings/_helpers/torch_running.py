def torch_running(norm, name):
    """The running `mean` or `var` of a norm, by the name that its class has for it."""
    of_torch = f"running_{name}"
    if hasattr(norm, of_torch):  # a norm of the project, or one whose statistics may be None
        return getattr(norm, of_torch)
    of_mindspore = {"mean": "moving_mean", "var": "moving_variance"}[name]
    return getattr(getattr(norm, "bn2d", norm), of_mindspore)  # of MindSpore's BatchNorm3d
