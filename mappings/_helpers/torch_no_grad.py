import mindspore


def torch_no_grad(function=None):
    """PyTorch's no_grad as a context or a decorator: what runs inside is not recorded for a gradient around it."""
    guard = mindspore._no_grad()
    return guard(function) if callable(function) else guard
