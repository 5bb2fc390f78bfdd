def torch_get_device_states(*args):
    """PyTorch's get_device_states: the devices beside the one whose random state is kept anyway, and their states;
    MindSpore's process has no others."""
    return [], []
