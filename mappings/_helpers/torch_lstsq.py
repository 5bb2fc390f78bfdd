import collections

import mindspore


def torch_lstsq(A, B, rcond=None, *, driver=None):
    """PyTorch's least squares for one matrix or a batch, with gradients, and the rank; residuals and singular values
    are empty, as those of PyTorch's usual driver are."""
    if driver not in (None, "gelsy"):
        raise NotImplementedError(
            f"the driver {driver} gives residuals or singular values, which are not computed"
        )
    is_vector = B.ndim == 1 or (B.ndim == A.ndim - 1 and B.shape == A.shape[:-1])
    right = B.expand_dims(-1) if is_vector else B
    tolerance = {} if rcond is None else {"rtol": rcond}
    solution = mindspore.ops.matmul(mindspore.ops.pinv(A, **tolerance), right)
    sizes = mindspore.ops.svd(mindspore.ops.stop_gradient(A), compute_uv=False)
    least = (
        max(A.shape[-2:]) * (1.2e-7 if A.dtype == mindspore.float32 else 2.3e-16) if rcond is None else rcond
    )
    rank = (sizes > least * sizes.max(axis=-1, keepdims=True)).astype(mindspore.int64).sum(-1)
    nothing = mindspore.ops.zeros(0, A.dtype)
    result = collections.namedtuple("linalg_lstsq", "solution residuals rank singular_values")
    return result(solution.squeeze(-1) if is_vector else solution, nothing, rank, nothing)
