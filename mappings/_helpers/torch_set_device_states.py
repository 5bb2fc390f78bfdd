def torch_set_device_states(devices, states, **options):
    """PyTorch's set_device_states for what `torch_get_device_states` gives: no device is left to be set."""
