def torch_lu(A, pivot=True, get_infos=False, out=None):
    """PyTorch's old name of LU factors."""
    if get_infos:
        raise NotImplementedError("MindSpore gives no number that tells failure")
    return torch_lu_factor(A, pivot, out=out)
