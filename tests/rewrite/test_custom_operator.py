"""Custom operators that call torch's kernels: what C++ is given for a call, and calls for which none can be written.
The oracle tier builds and runs some (tests/oracle/test_custom_operators.py)."""

import ast

import pytest

from mindport.registry.operators import OperatorParameter, operator_schemas
from mindport.rewrite.custom_operator.call import Unsuitable, operator_call
from mindport.rewrite.custom_operator.files import SHARED, operator_files
from mindport.rewrite.custom_operator.samples import read_sample


def called(api, text=None):
    return operator_call(api, None if text is None else ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("api", "text", "tensors", "arguments", "original"),
    [
        ("torch.linalg.ldl_factor", None, "A", "inputs[0]", "torch.linalg.ldl_factor(A)"),
        (
            "torch.linalg.ldl_factor",
            "linalg.ldl_factor(m + m.T, hermitian=True)",
            "A",
            "inputs[0] true",
            "torch.linalg.ldl_factor(A, hermitian=True)",
        ),
        (
            "torch.cdist",
            "torch.cdist(f(a), b, 1)",
            "x1 x2",
            "inputs[0] inputs[1] 1.0",
            "torch.cdist(x1, x2, 1)",
        ),
        (
            "torch.Tensor.logcumsumexp",
            "a.b.logcumsumexp(-1)",
            "input",
            "inputs[0] -1",
            "input.logcumsumexp(-1)",
        ),
        ("torch.sum", "torch.sum(a, 1)", "input", "inputs[0] std::vector<int64_t>{1}", "torch.sum(input, 1)"),
        (
            "torch.special.xlogy",
            "xlogy(2, a)",
            "other",
            "at::Scalar(2) inputs[0]",
            "torch.special.xlogy(2, other)",
        ),
        (
            "torch.stack",
            "torch.stack([a, a], 1)",
            "tensors_0 tensors_1",
            "at::TensorList({inputs[0], inputs[1]}) 1",
            "torch.stack([tensors_0, tensors_1], 1)",
        ),
        (
            "torch.quantile",
            "torch.quantile(a, 0.5, dim=1, interpolation='lower')",
            "input",
            'inputs[0] 0.5 1 false "lower"',
            "torch.quantile(input, 0.5, dim=1, interpolation='lower')",
        ),
    ],
)
def test_a_call_in_cplusplus(api, text, tensors, arguments, original):
    found = called(api, text)
    assert (" ".join(found.tensors), " ".join(found.arguments), found.original) == (
        tensors,
        arguments,
        original,
    )


@pytest.mark.parametrize(
    ("api", "text", "reason"),
    [
        ("torch.nn.functional.grid_sample", None, "is no operator of ATen"),
        ("torch.no_such_name", None, "is no operator of ATen"),
        ("torch.nn.Linear", None, "is no operator of ATen"),
        ("torch.split", "torch.split(a, 2)", "no fixed number of tensors"),
        ("torch.cdist", "torch.cdist(a, b, p=q)", "`p` must be a plain value"),
        ("torch.cdist", "torch.cdist(a, b, compute_mode=1.5)", "`compute_mode` is no int?"),
        ("torch.cdist", "torch.cdist(a)", "needs `x2`"),
        ("torch.cdist", "torch.cdist(*both)", "cannot be seen"),
        ("torch.cdist", "torch.cdist(**both)", "cannot be seen"),
        ("torch.cdist", "torch.cdist(1, b)", "`x1` is no tensor"),
        ("torch.cdist", "torch.cdist(a, b, 1, None, 5)", "more arguments"),
        ("torch.cdist", "torch.cdist(a, b, out=c)", "`out` is no parameter"),
        ("torch.Tensor.logcumsumexp", None, "write the call with its arguments"),
    ],
)
def test_a_call_that_stays(api, text, reason):
    with pytest.raises(Unsuitable, match=reason.replace("?", r"\?")):
        called(api, text)


@pytest.mark.parametrize(
    ("text", "shape", "dtype"),
    [
        ("rand(4, 4)", (4, 4), "float32"),
        ("randn(3) * 2 - 1", (3,), "float32"),
        ("-ones()", (), "float32"),
        ("randint(0, 9, (2, 3))", (2, 3), "int64"),
        ("randint(0, 9, (2, 3)) / 2", (2, 3), "float32"),
    ],
)
def test_a_sample(text, shape, dtype):
    found = read_sample(text)
    assert (found.shape, found.dtype) == (shape, dtype)


@pytest.mark.parametrize(
    "text", ["", "x", "rand(n)", "rand(-1)", "open('f')", "rand(2, dtype='x')", "rand(2) + rand(3)"]
)
def test_no_sample(text):
    with pytest.raises(Unsuitable):
        read_sample(text)


def test_every_placeholder_is_filled_and_python_is_right():
    call = called("torch.cdist", "torch.cdist(a, b, p=1.0)")
    files = operator_files(call, ["rand(3, 5)", "rand(4, 5)"])
    assert set(files) == {"cdist.cc", "cdist.py", "test_cdist.py", *SHARED}
    for name, text in files.items():
        assert "<<" not in text.replace("std::cout <<", ""), name
        if name.endswith(".py"):
            compile(text, name, "exec")
    assert "at::cdist(inputs[0], inputs[1], 1.0)" in files["cdist.cc"]
    assert "((3, 5), (4, 5))" in files["cdist.py"]


def test_samples_fit_the_tensors():
    with pytest.raises(Unsuitable, match="takes 2 tensors"):
        operator_files(called("torch.cdist"), ["rand(2, 2)"])


def test_schemas_are_read_whole():
    (schema,) = operator_schemas("torch.linalg.ldl_factor")
    assert schema.returns == ("Tensor", "Tensor")
    assert schema.parameters[1] == OperatorParameter("bool", "hermitian", "False", keyword_only=True)
