"""What stands for einops and einsum in ported files does what the pattern says, op by op and in a graph."""

import importlib
import math
import sys

import numpy as np
import pytest

from mindport.mapping.helper_source import with_helpers

pytestmark = pytest.mark.oracle

X = np.arange(2 * 6 * 4, dtype=np.float32).reshape(2, 6, 4)
TRANSFORMS = [
    ("'b n c -> b c n'", X.transpose(0, 2, 1)),
    ("'b (h w) c -> b h w c', h=2", X.reshape(2, 2, 3, 4)),
    ("'b (h w) c -> b (w h) c', w=3", X.reshape(2, 2, 3, 4).swapaxes(1, 2).reshape(2, 6, 4)),
    ("'b ... -> b (...)'", X.reshape(2, 24)),
    ("'... (r c) -> ... r c', c=2", X.reshape(2, 6, 2, 2)),
    ("'b n c -> b 1 n c'", X[:, None]),
    ("'b n c -> b n c 2'", np.repeat(X[..., None], 2, 3)),
    ("'b n c -> (copy b) n c', copy=3", np.tile(X, (3, 1, 1))),
    ("'b n c -> b c', 'mean'", X.mean(1)),
    ("'b (h 2) c -> b h c', 'max'", X.reshape(2, 3, 2, 4).max(2)),
    ("'b n c -> b () c', 'sum'", X.sum(1, keepdims=True)),
    ("'b n c -> ', 'sum'", X.sum()),
]
WRONG = ["'b n -> b n'", "'b (n m) c -> b n m c'", "'b (n m) c -> b n m c', n=4"]
MODULE = """
class Layer(mindspore.nn.Cell):
    def construct(self, {parameters}):
        return {call}
"""


@pytest.fixture
def layer(tmp_path, monkeypatch):
    """A Cell that calls a helper with arguments; graph mode reads its source from a file."""

    def make(arguments, parameters="x", call="einops_transform(x, {})"):
        path = tmp_path / "layer_of_einops.py"
        path.write_text(
            with_helpers(MODULE.format(parameters=parameters, call=call.format(arguments))), "utf-8"
        )
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "layer_of_einops", raising=False)
        return importlib.import_module("layer_of_einops").Layer()

    return make


@pytest.mark.parametrize(("arguments", "expected"), TRANSFORMS)
@pytest.mark.parametrize("is_graph", [False, True], ids=["pynative", "graph"])
def test_pattern(layer, arguments, expected, is_graph):
    import mindspore

    net = layer(arguments)
    found = (mindspore.jit(net) if is_graph else net)(mindspore.Tensor(X)).asnumpy()
    assert found.shape == expected.shape
    assert math.isclose(float(np.abs(found - expected).max()), 0, abs_tol=1e-5)


EQUATIONS = [
    ("b i d, b j d -> b i j", [(2, 3, 4), (2, 5, 4)]),
    ("bhid,bhjd->bhij", [(2, 2, 3, 4), (2, 2, 5, 4)]),
    ("...ij,...jk->...ik", [(2, 3, 4), (4, 5)]),
    ("ij,jk", [(3, 4), (4, 2)]),
    ("i,j->ji", [(3,), (4,)]),
    ("ii->", [(3, 3)]),
    ("bii->bi", [(2, 3, 3)]),
    ("ab,bc,ca->b", [(2, 3), (3, 4), (4, 2)]),
    ("abc->ca", [(2, 3, 4)]),
]


@pytest.mark.parametrize(("equation", "shapes"), EQUATIONS)
@pytest.mark.parametrize("is_graph", [False, True], ids=["pynative", "graph"])
def test_equation(layer, equation, shapes, is_graph):
    import mindspore

    random = np.random.default_rng(0)
    arrays = [random.random(shape, np.float32) for shape in shapes]
    net = layer(f"'{equation}', *operands", "*operands", "torch_einsum({})")
    found = (mindspore.jit(net) if is_graph else net)(*map(mindspore.Tensor, arrays)).asnumpy()
    expected = np.einsum(equation, *arrays)
    assert found.shape == expected.shape
    assert math.isclose(float(np.abs(found - expected).max()), 0, abs_tol=1e-5)


@pytest.mark.parametrize("arguments", WRONG)
def test_pattern_that_does_not_fit(layer, arguments):
    import mindspore

    with pytest.raises(ValueError, match=r"axes|axis"):
        layer(arguments)(mindspore.Tensor(X))


PACKED = [
    ("'b * d'", [(2, 3, 4), (2, 5, 4)], (2, 8, 4)),
    ("'b * d'", [(2, 4), (2, 5, 4)], (2, 6, 4)),
    ("'b * d'", [(2, 0, 4), (2, 5, 4)], (2, 5, 4)),
    ("'* d'", [(2, 3, 4)], (6, 4)),
    ("'b *'", [(2, 3), (2, 2, 2), (2,)], (2, 8)),
]


@pytest.mark.parametrize(("pattern", "shapes", "packed"), PACKED)
@pytest.mark.parametrize("is_graph", [False, True], ids=["pynative", "graph"])
def test_what_is_packed_is_unpacked(layer, pattern, shapes, packed, is_graph):
    import mindspore

    random = np.random.default_rng(0)
    tensors = [mindspore.Tensor(random.random(shape, np.float32)) for shape in shapes]
    both = f"(einops_pack(tensors, {pattern})[0], einops_unpack(*einops_pack(tensors, {pattern}), {pattern}))"
    net = layer("", "*tensors", both)
    joined, parts = (mindspore.jit(net) if is_graph else net)(*tensors)
    assert joined.shape == packed
    assert len(parts) == len(shapes)
    assert all(
        np.array_equal(part.asnumpy(), one.asnumpy()) for part, one in zip(parts, tensors, strict=True)
    )
