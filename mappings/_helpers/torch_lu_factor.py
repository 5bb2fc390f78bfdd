import mindspore
import mindspore.scipy.linalg


def torch_lu_factor(A, pivot=True, *, out=None):
    """PyTorch's LU factors of square matrices, and the row exchanges, which count from 1."""
    if not pivot or out is not None:
        raise NotImplementedError("MindSpore exchanges rows, and cannot write into a given tensor")
    if A.ndim == 2:
        factors, pivots = mindspore.scipy.linalg.lu_factor(A)
        return factors, pivots + 1
    found = [torch_lu_factor(one) for one in A.reshape((-1, *A.shape[-2:]))]
    factors, pivots = (mindspore.ops.stack(parts) for parts in zip(*found))
    return factors.reshape(A.shape), pivots.reshape(A.shape[:-1])
