"""Additions at one place are all kept, run after run: tensor_scatter_elements loses some where CPU threads meet."""

import numpy as np
import pytest

from mindport.mapping.helper_source import with_helpers

pytestmark = pytest.mark.oracle

ROWS, COLUMNS, RUNS = 2000, 64, 200
CALLS = [
    "torch_scatter(x, 0, index, source, 'add')",
    "torch_scatter_reduce(x, 0, index, source, 'sum')",
    "torch_index_add(x, 0, index[:, 0], source)",
    "torch_index_put(x, (index[:, 0],), source, accumulate=True)",
    "mindspore.grad(lambda x: (mindspore.ops.gather_elements(x, 0, index) * source).sum())(x)",
]


@pytest.mark.parametrize("call", CALLS)
def test_every_addition_is_kept(call):
    import mindspore

    random = np.random.default_rng(0)
    index = random.integers(0, 3, (ROWS, COLUMNS))
    source = random.integers(-9, 10, (ROWS, COLUMNS)).astype(np.float32)  # sums are exact in any order
    names = {"__name__": __name__, "x": mindspore.Tensor(np.zeros((3, COLUMNS), np.float32))}
    names |= {"index": mindspore.Tensor(index), "source": mindspore.Tensor(source)}
    exec(with_helpers(f"import mindspore\n\n\ndef add():\n    return {call}\n"), names)
    places = index if "scatter" in call or "gather" in call else index[:, :1].repeat(COLUMNS, 1)
    expected = np.zeros((3, COLUMNS), np.float32)
    np.add.at(expected, (places, np.arange(COLUMNS)), source)
    assert [run for run in range(RUNS) if not np.array_equal(names["add"]().asnumpy(), expected)] == []
