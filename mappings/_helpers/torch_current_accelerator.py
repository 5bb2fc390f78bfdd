import mindspore


def torch_current_accelerator(check_available=False):
    """The device that MindSpore works on, as a text; None on a CPU, which is no accelerator."""
    target = mindspore.get_current_device().device_target.lower()
    return None if target == "cpu" else target
