"""What MP320 says of sparse tensors on the CPU is what the installed MindSpore does."""

import pytest

pytestmark = pytest.mark.oracle

COO = "COOTensor(Tensor([[0, 1], [1, 2]], ms.int64), Tensor([2.0, 3.0], ms.float32), (2, 3))"
CSR = (
    "CSRTensor(Tensor([0, 1, 2], ms.int32), Tensor([1, 2], ms.int32), Tensor([2.0, 3.0], ms.float32), (2, 3))"
)
PRODUCT = "ops.SparseTensorDenseMatmul()(Tensor([[0, 1], [1, 2]], ms.int64), v, (2, 3), ops.ones((3, 2)))"

WORKS = [
    f"{COO}.to_dense().asnumpy()",
    f"{CSR}.to_dense().asnumpy()",
    f"({COO} + {COO}).to_dense().asnumpy()",
    f"({CSR} + {CSR}).to_dense().asnumpy()",
    f"ops.coo_relu({COO}).to_dense().asnumpy()",
    f"ops.csr_relu({CSR}).to_dense().asnumpy()",
    "ops.ones((2, 3)).to_csr().to_dense().asnumpy()",
    "(lambda v: PRODUCT)(Tensor([2.0, 3.0], ms.float32)).asnumpy()".replace("PRODUCT", PRODUCT),
]
RAISES = [f"{CSR}.mm(ops.ones((3, 2))).asnumpy()", f"{CSR}.mv(ops.ones((3, 1))).asnumpy()"]


def evaluated(code):
    ms = pytest.importorskip("mindspore")
    names = {
        "ms": ms,
        "ops": ms.ops,
        "Tensor": ms.Tensor,
        "COOTensor": ms.COOTensor,
        "CSRTensor": ms.CSRTensor,
    }
    return eval(code, names)


@pytest.mark.parametrize("code", WORKS)
def test_what_works(code):
    assert evaluated(code).any()


@pytest.mark.parametrize("code", RAISES)
def test_what_has_no_kernel(code):
    with pytest.raises(RuntimeError):
        evaluated(code)


def test_the_product_has_gradients():
    ms = pytest.importorskip("mindspore")

    class Product(ms.nn.Cell):
        def construct(self, indices, values, dense):
            return ms.ops.SparseTensorDenseMatmul()(indices, values, (2, 3), dense)

    indices, values = ms.Tensor([[0, 1], [1, 2]], ms.int64), ms.Tensor([2.0, 3.0], ms.float32)
    first, second = ms.grad(Product(), (1, 2))(indices, values, ms.ops.ones((3, 2)))
    assert first.asnumpy().tolist() == [2.0, 2.0]
    assert second.asnumpy().tolist() == [[0.0, 0.0], [2.0, 2.0], [3.0, 3.0]]


def test_gradients_of_an_embedding_are_dense():
    ms = pytest.importorskip("mindspore")
    table = ms.nn.Embedding(5, 3)
    step = ms.value_and_grad(lambda i: table(i).sum(), None, table.trainable_params())
    _, (gradient,) = step(ms.Tensor([1, 2], ms.int32))
    assert gradient.shape == (5, 3)
