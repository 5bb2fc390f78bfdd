import mindspore
import numpy


def torch_linalg_solve(A, B, *, left=True):
    """PyTorch's linalg.solve: `B` may be a vector or several, and the batches of both sides are broadcast."""
    is_vector = B.ndim == 1 or tuple(B.shape) == tuple(A.shape[:-1])
    if is_vector:
        B = B.unsqueeze(-1)
    if not left:
        A, B = A.swapaxes(-1, -2), B.swapaxes(-1, -2)
    batch = numpy.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    A, B = A.broadcast_to((*batch, *A.shape[-2:])), B.broadcast_to((*batch, *B.shape[-2:]))
    output = mindspore.ops.matrix_solve(A, B)
    if not left:
        output = output.swapaxes(-1, -2)
    return output.squeeze(-1) if is_vector else output
