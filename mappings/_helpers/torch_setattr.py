import mindspore


def torch_setattr(module, name, value):
    """PyTorch's setattr, where only running tells the name: a buffer takes another tensor."""
    is_plain = isinstance(value, mindspore.Tensor) and not isinstance(value, mindspore.Parameter)
    if is_plain and name in getattr(module, "_buffers", ()):
        module.register_buffer(name, value, name not in module._non_persistent_buffers_set)
    else:
        setattr(module, name, value)
