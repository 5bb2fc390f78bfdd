"""Selections by a mask, as a function returns them: before, after, and whether the fix is safe. `x` and `y` are tensors
of one shape that nobody knows, `mask` is one of truth values, `counts` one of numbers."""

HEAD = "from torch import Tensor\n\n\ndef f(x: Tensor, y: Tensor, mask: Tensor, counts: Tensor):\n"
SAFE, UNSAFE = True, False


def function(value, first=""):
    """A function that returns a value, after a statement."""
    text = f"{HEAD}    {first or 'pass'}\n    return {value}\n"
    return f"import torch\n{text}" if "torch." in first + value else text


FIXED = [
    # The mask is made of what it selects from, so it has its shape.
    ("x[x > 0].sum()", "x.where(x > 0, 0).sum()", SAFE),
    ("x[(x > -1) & ~(x > 1)].sum()", "x.where((x > -1) & ~(x > 1), 0).sum()", SAFE),
    ("x[torch.isfinite(x)].sum()", "x.where(torch.isfinite(x), 0).sum()", SAFE),
    ("(x * 2)[x > 0].sum()", "(x * 2).where(x > 0, 0).sum()", SAFE),
    ("torch.sum(x[x > 9])", "x.where(x > 9, 0).sum()", SAFE),
    ("x[x > 0].mean()", "(x.where(x > 0, 0) / (x > 0).sum()).sum()", SAFE),
    ("x[x > 9].mean()", "(x.where(x > 9, 0) / (x > 9).sum()).sum()", SAFE),
    (
        "torch.mean(x[torch.isfinite(x)])",
        "(x.where(torch.isfinite(x), 0) / torch.isfinite(x).sum()).sum()",
        SAFE,
    ),
    ("x.masked_select(x > 0).mean()", "(x.where(x > 0, 0) / (x > 0).sum()).sum()", SAFE),
    ("x * x[x > 0].numel()", "x * int((x > 0).sum())", SAFE),
    # masked_select spreads both over each other, as where does.
    ("x.masked_select(y > 0).sum()", "x.where(y > 0, 0).sum()", SAFE),
    ("torch.masked_select(x, y[:1] > 0).sum()", "x.where(y[:1] > 0, 0).sum()", SAFE),
    # How many are true depends on the mask alone.
    ("x * len(x[y > 0])", "x * int((y > 0).sum())", SAFE),
    ("x * x[y > 0].shape[0]", "x * int((y > 0).sum())", SAFE),
    ("x * (x > 0).nonzero().size(0)", "x * int((x > 0).sum())", SAFE),
    ("x * len(torch.nonzero(counts, as_tuple=False))", "x * int((counts != 0).sum())", SAFE),
    ("x * torch.nonzero(counts, as_tuple=True)[0].numel()", "x * int((counts != 0).sum())", SAFE),
    ("x * len(torch.where(x > 0)[0])", "x * int((x > 0).sum())", SAFE),
    ("x * torch.where(x > 0)[1].size(0)", "x * int((x > 0).sum())", SAFE),
    ("x + 1 if counts.nonzero().numel() > 0 else x", "x + 1 if int((counts != 0).sum()) > 0 else x", SAFE),
    ("x + 1 if (x > 9).nonzero().numel() == 0 else x", "x + 1 if int((x > 9).sum()) == 0 else x", SAFE),
    # The mask may have fewer axes than what it selects from.
    ("x[y > 0].sum()", "x.where(y > 0, 0).sum()", UNSAFE),
    ("x[y > 0].mean()", "(x.where(y > 0, 0) / (y > 0).sum()).sum()", UNSAFE),
]

# A statement before the return, and what is returned; nothing of it is safe to write otherwise.
LEFT = [
    ("", "x[x > 0]"),  # the elements themselves are wanted
    ("", "x[x > 0].max()"),  # which refuses to answer where there are none
    ("", "x[x > 0].prod()"),
    ("", "x[x > 0].std()"),
    ("", "x[x > 0].sum(0)"),
    ("", "x[x > 0].sum(dtype=torch.float64)"),
    ("", "x[:, x[0] > 0].sum()"),
    ("", "x[y > 0].numel()"),  # of whole rows, if the mask has one axis
    ("", "x[x > 0].size()"),
    ("", "x[x > 0].shape"),
    ("", "x.masked_select(y > 0).numel()"),
    ("", "x.masked_select(y > 0).mean()"),
    ("", "(x > 0).nonzero().numel()"),  # a number for each axis
    ("", "(x > 0).nonzero().size(1)"),
    ("", "(x > 0).nonzero()[0]"),
    ("", "(x > 0).nonzero().sum()"),
    ("", "torch.where(x > 0)[0].sum()"),
    ("", "len(torch.where(x > 0))"),  # the number of axes
    ("", "len(torch.nonzero(x, as_tuple=True))"),
    ("", "x[torch.rand_like(x) > 0.5].mean()"),  # random: a second one would be another mask
    ("", "x[y].sum()"),  # an index perhaps
    # What the name held when the mask was made is not what it holds now.
    ("m = x > 0; x = x[1:]", "x[m].sum()"),
    ("m = x > 0; x = torch.cat([x, y])", "x[m].sum()"),
    ("m = x > 0; x = x + y", "x[m].sum()"),
    ("m = x > y", "x[m].sum()"),
    ("m = x.div(y) > 0", "x[m].sum()"),
]
