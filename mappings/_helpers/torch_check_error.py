def torch_check_error(res):
    """PyTorch's check_error: raises where a call of the CUDA library did not succeed."""
    if res != 0:
        raise RuntimeError(f"error {res} of the CUDA library")
