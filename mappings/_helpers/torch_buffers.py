def torch_buffers(module, recurse=True):
    """PyTorch's Module.buffers: with the running statistics of norms, which are parameters in MindSpore."""
    for _, buffer in torch_named_buffers(module, recurse=recurse):
        yield buffer
