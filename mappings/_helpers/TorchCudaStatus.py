class TorchCudaStatus:
    """PyTorch's names of two states of the CUDA library."""

    SUCCESS = 0
    ERROR_NOT_READY = 34
