def torch_device(device, index=None):
    """The text that names a device of PyTorch; a number alone means an accelerator."""
    if isinstance(device, int):
        return f"cuda:{device}"
    return device if index is None else f"{device}:{index}"
