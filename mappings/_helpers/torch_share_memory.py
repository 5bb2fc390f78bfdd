def torch_share_memory(module):
    """PyTorch's Module.share_memory: processes that are forked from now on have the same parameters and buffers."""
    for parameter in module.get_parameters():
        # Memory that came from an array keeps a copy outside of it, which would be read.
        parameter.set_data(parameter.copy())
        parameter.untyped_storage()._share_fd_cpu_()
    return module
