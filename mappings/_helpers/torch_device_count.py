import mindspore


def torch_device_count():
    """PyTorch's cuda.device_count: the devices that a process may work on beside the CPU, none where it works there."""
    if mindspore.get_current_device().device_target == "CPU":
        return 0
    return mindspore.hal.device_count()
