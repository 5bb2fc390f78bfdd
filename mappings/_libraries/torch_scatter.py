"""The parts of torch_scatter that this project uses. Arguments, defaults and results are those of torch_scatter; what a
part leaves out raises."""

import torch

WHERE = {
    "torch_scatter": "scatter scatter_sum scatter_add scatter_mul scatter_mean scatter_min scatter_max scatter_std"
    " scatter_logsumexp scatter_softmax scatter_log_softmax segment_csr segment_sum_csr segment_add_csr"
    " segment_mean_csr segment_min_csr segment_max_csr gather_csr segment_coo segment_sum_coo segment_add_coo"
    " segment_mean_coo segment_min_coo segment_max_coo gather_coo",
    "torch_scatter.composite": "scatter_std scatter_logsumexp scatter_softmax scatter_log_softmax",
    "torch_scatter.scatter": "scatter scatter_sum scatter_add scatter_mul scatter_mean scatter_min scatter_max",
    "torch_scatter.segment_coo": "segment_coo segment_sum_coo segment_add_coo segment_mean_coo segment_min_coo"
    " segment_max_coo gather_coo",
    "torch_scatter.segment_csr": "segment_csr segment_sum_csr segment_add_csr segment_mean_csr segment_min_csr"
    " segment_max_csr gather_csr",
    "torch_scatter.utils": "broadcast",
}


def broadcast(src, other, dim):
    """`src`, whose axes are those of `other` from the first on, or the axis `dim` alone, in the shape of `other`."""
    front = dim % other.dim() if src.dim() == 1 else 0
    back = other.dim() - front - src.dim()
    return src.reshape([1] * front + list(src.shape) + [1] * back).expand(other.shape)


def grouped_size(src, index, dim, dim_size):
    """The shape of what `src` gives when its values along `dim` are put together by the groups in `index`."""
    size = list(src.shape)
    if dim_size is not None:
        size[dim] = dim_size
    elif index.numel() == 0:
        size[dim] = 0
    else:
        size[dim] = int(index.max()) + 1
    return size


def without(out):
    """Refuse what would put results into another tensor."""
    if out is not None:
        raise NotImplementedError("only sums are put on top of another tensor")


def scatter_sum(src, index, dim=-1, out=None, dim_size=None):
    """The sum of the values along `dim` that `index` puts into the same group; on top of `out`, where that is given."""
    index = broadcast(index, src, dim)
    if out is not None:
        return out.scatter_add_(dim, index, src)
    zeros = torch.zeros(grouped_size(src, index, dim, dim_size), dtype=src.dtype, device=src.device)
    return zeros.scatter_add(dim, index, src)


def scatter_add(src, index, dim=-1, out=None, dim_size=None):
    """Another name of `scatter_sum`."""
    return scatter_sum(src, index, dim, out, dim_size)


def scatter_mul(src, index, dim=-1, out=None, dim_size=None):
    """The product of the values of each group; 1 where a group has none."""
    without(out)
    index = broadcast(index, src, dim)
    ones = torch.ones(grouped_size(src, index, dim, dim_size), dtype=src.dtype, device=src.device)
    return torch.scatter_reduce(ones, dim, index, src, "prod")


def scatter_mean(src, index, dim=-1, out=None, dim_size=None):
    """The mean of the values of each group; 0 where a group has none. Means of integers are rounded down."""
    without(out)
    total = scatter_sum(src, index, dim, None, dim_size)
    groups = total.shape[dim]
    axis = min(dim % src.dim(), index.dim() - 1)
    count = scatter_sum(torch.ones(index.shape, device=src.device), index, axis, None, groups).clamp(min=1)
    count = broadcast(count, total, dim)
    if total.is_floating_point():
        return total / count
    return torch.floor(total / count).to(total.dtype)


def place_of_extreme(src, index, dim, dim_size, reduce):
    """For each group the place along `dim` of its first greatest ("amax") or smallest ("amin") value; the length of
    that axis where a group has none."""
    number = src.detach().float()
    start = torch.full(dim_size, float("-inf") if reduce == "amax" else float("inf"), device=src.device)
    extreme = torch.scatter_reduce(start, dim, index, number, reduce)
    places = broadcast(torch.arange(src.shape[dim], device=src.device), src, dim)
    none = torch.full_like(places, src.shape[dim])
    places = torch.where(number == extreme.gather(dim, index), places, none)
    nowhere = torch.full(dim_size, float(src.shape[dim]), device=src.device)
    return torch.scatter_reduce(nowhere, dim, index, places.float(), "amin").long()


def scatter_extreme(src, index, dim, out, dim_size, reduce):
    """The greatest or smallest value of each group, 0 where it has none, and where that stands."""
    without(out)
    index = broadcast(index, src, dim)
    place = place_of_extreme(src, index, dim, grouped_size(src, index, dim, dim_size), reduce)
    nothing = torch.zeros_like(src.narrow(dim, 0, 1))
    return torch.cat([src, nothing], dim=dim).gather(dim, place), place


def scatter_min(src, index, dim=-1, out=None, dim_size=None):
    """The smallest value of each group and its place along `dim`; 0 and the length of the axis where it has none."""
    return scatter_extreme(src, index, dim, out, dim_size, "amin")


def scatter_max(src, index, dim=-1, out=None, dim_size=None):
    """The greatest value of each group and its place along `dim`; 0 and the length of the axis where it has none."""
    return scatter_extreme(src, index, dim, out, dim_size, "amax")


def scatter(src, index, dim=-1, out=None, dim_size=None, reduce="sum"):
    """The values along `dim` that `index` puts into the same group, reduced as "sum", "mean", "mul", "min" or "max"."""
    if reduce in ("sum", "add"):
        return scatter_sum(src, index, dim, out, dim_size)
    if reduce == "mul":
        return scatter_mul(src, index, dim, out, dim_size)
    if reduce == "mean":
        return scatter_mean(src, index, dim, out, dim_size)
    if reduce == "min":
        return scatter_min(src, index, dim, out, dim_size)[0]
    if reduce == "max":
        return scatter_max(src, index, dim, out, dim_size)[0]
    raise ValueError(f"unknown reduction {reduce!r}")


def scatter_std(src, index, dim=-1, out=None, dim_size=None, unbiased=True):
    """The standard deviation of the values of each group."""
    without(out)
    index = broadcast(index, src, dim)
    groups = grouped_size(src, index, dim, dim_size)[dim]
    count = scatter_sum(torch.ones_like(src), index, dim, None, groups)
    mean = scatter_sum(src, index, dim, None, groups) / count.clamp(min=1)
    squares = scatter_sum((src - mean.gather(dim, index)) ** 2, index, dim, None, groups)
    if unbiased:
        count = (count - 1).clamp(min=1)
    return (squares / (count + 1e-6)).sqrt()


def without_greatest(src, index, dim, dim_size):
    """The values less the greatest of their group, which is 0 where a group has none, and these."""
    size = grouped_size(src, index, dim, dim_size)
    lowest = torch.full(size, float("-inf"), device=src.device)
    greatest = torch.scatter_reduce(lowest, dim, index, src.detach(), "amax")
    greatest = torch.where(torch.isinf(greatest), torch.zeros_like(greatest), greatest)
    return src - greatest.gather(dim, index), greatest


def scatter_logsumexp(src, index, dim=-1, out=None, dim_size=None, eps=1e-12):
    """The logarithm of the sum of the exponentials of each group; 0 where a group has none."""
    without(out)
    index = broadcast(index, src, dim)
    below, greatest = without_greatest(src, index, dim, dim_size)
    total = scatter_sum(below.exp(), index, dim, None, greatest.shape[dim])
    return torch.where(total > 0, (total + eps).log() + greatest, torch.zeros_like(total))


def scatter_softmax(src, index, dim=-1, eps=1e-12, dim_size=None):
    """The softmax of the values of each group."""
    index = broadcast(index, src, dim)
    below, greatest = without_greatest(src, index, dim, dim_size)
    exponentials = below.exp()
    total = scatter_sum(exponentials, index, dim, None, greatest.shape[dim])
    return exponentials / total.gather(dim, index)


def scatter_log_softmax(src, index, dim=-1, eps=1e-12, dim_size=None):
    """The logarithm of the softmax of the values of each group."""
    index = broadcast(index, src, dim)
    below, greatest = without_greatest(src, index, dim, dim_size)
    total = scatter_sum(below.exp(), index, dim, None, greatest.shape[dim])
    return below - (total + eps).log().gather(dim, index)


def index_of(indptr):
    """The group of each value along the axis that `indptr` parts into stretches: group i is that from indptr[i] to
    indptr[i + 1]."""
    if indptr.dim() != 1:
        raise NotImplementedError("stretches of several rows are left out")
    groups = torch.arange(indptr.numel() - 1, device=indptr.device)
    return torch.repeat_interleave(groups, indptr[1:] - indptr[:-1])


def segment_csr(src, indptr, out=None, reduce="sum"):
    """The values of each stretch of the first axis, reduced as `scatter` does."""
    without(out)
    return scatter(src, index_of(indptr), 0, None, indptr.numel() - 1, reduce)


def segment_sum_csr(src, indptr, out=None):
    """The sum of each stretch of the first axis."""
    return segment_csr(src, indptr, out, "sum")


def segment_add_csr(src, indptr, out=None):
    """The sum of each stretch of the first axis."""
    return segment_csr(src, indptr, out, "sum")


def segment_mean_csr(src, indptr, out=None):
    """The mean of each stretch of the first axis."""
    return segment_csr(src, indptr, out, "mean")


def segment_min_csr(src, indptr, out=None):
    """The smallest value of each stretch of the first axis, and its place."""
    without(out)
    return scatter_min(src, index_of(indptr), 0, None, indptr.numel() - 1)


def segment_max_csr(src, indptr, out=None):
    """The greatest value of each stretch of the first axis, and its place."""
    without(out)
    return scatter_max(src, index_of(indptr), 0, None, indptr.numel() - 1)


def gather_csr(src, indptr, out=None):
    """The value of each group as often as its stretch is long."""
    without(out)
    return src.index_select(0, index_of(indptr))


def segment_coo(src, index, out=None, dim_size=None, reduce="sum"):
    """The values of each group of a sorted `index`, whose last axis counts, reduced as `scatter` does."""
    without(out)
    return scatter(src, index, index.dim() - 1, None, dim_size, reduce)


def segment_sum_coo(src, index, out=None, dim_size=None):
    """The sum of each group of a sorted index."""
    return segment_coo(src, index, out, dim_size, "sum")


def segment_add_coo(src, index, out=None, dim_size=None):
    """The sum of each group of a sorted index."""
    return segment_coo(src, index, out, dim_size, "sum")


def segment_mean_coo(src, index, out=None, dim_size=None):
    """The mean of each group of a sorted index."""
    return segment_coo(src, index, out, dim_size, "mean")


def segment_min_coo(src, index, out=None, dim_size=None):
    """The smallest value of each group of a sorted index, and its place."""
    return scatter_min(src, index, index.dim() - 1, out, dim_size)


def segment_max_coo(src, index, out=None, dim_size=None):
    """The greatest value of each group of a sorted index, and its place."""
    return scatter_max(src, index, index.dim() - 1, out, dim_size)


def gather_coo(src, index, out=None):
    """The value of the group of each entry of a sorted index."""
    without(out)
    dim = index.dim() - 1
    size = list(src.shape)
    size[dim] = index.shape[-1]
    entries = index.reshape(list(index.shape) + [1] * (src.dim() - index.dim())).expand(size)
    return src.gather(dim, entries)
