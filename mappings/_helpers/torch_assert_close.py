import mindspore
import numpy


def torch_assert_close(
    actual, expected, *, rtol=None, atol=None, equal_nan=False, check_dtype=True, msg=None, **others
):
    """PyTorch's testing.assert_close: of tensors, arrays and numbers, and of sequences and tables of these. The other
    options are about devices and layouts."""
    options = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan, "check_dtype": check_dtype, "msg": msg}
    if isinstance(expected, (dict, list, tuple)):
        names, wanted = (
            sorted(one) if isinstance(one, dict) else range(len(one)) for one in (actual, expected)
        )
        if list(names) != list(wanted):
            raise AssertionError(f"There are {list(names)} and {list(wanted)}.")
        for name in names:
            torch_assert_close(actual[name], expected[name], **options)
        return
    kinds = [str(getattr(one, "dtype", type(one).__name__)).lower() for one in (actual, expected)]
    if check_dtype and kinds[0] != kinds[1]:
        raise AssertionError(f"The values for attribute 'dtype' do not match: {kinds[0]} != {kinds[1]}.")
    tolerances = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5)}
    tolerances.update(dict.fromkeys(("float32", "complex64"), (1.3e-6, 1e-5)))
    tolerances.update(dict.fromkeys(("float64", "float", "complex128", "complex"), (1e-7, 1e-7)))
    if rtol is None or atol is None:
        found = [tolerances.get(kind, (0.0, 0.0)) for kind in kinds]
        rtol, atol = max(one[0] for one in found), max(one[1] for one in found)

    def as_array(value):
        if isinstance(value, mindspore.Tensor):  # NumPy has no bfloat16
            value = (
                value.astype(mindspore.float32) if value.dtype == mindspore.bfloat16 else value
            ).asnumpy()
        return numpy.asarray(value)

    left, right = as_array(actual), as_array(expected)
    if left.shape != right.shape:
        raise AssertionError(f"The values for attribute 'shape' do not match: {left.shape} != {right.shape}.")
    numpy.testing.assert_allclose(left, right, rtol, atol, equal_nan, msg if isinstance(msg, str) else "")
