import mindspore


def torch_cuda_is_available():
    """Whether MindSpore runs on an accelerator, as PyTorch's torch.cuda.is_available says of CUDA."""
    return mindspore.get_current_device().device_target != "CPU"
