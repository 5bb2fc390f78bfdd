import mindspore


def torch_typename(obj):
    """The name of a type as PyTorch says it: tensors by their dtype, what is built in without a module."""
    if isinstance(obj, mindspore.Tensor):
        names = {
            "Float32": "Float", "Float64": "Double", "Float16": "Half", "BFloat16": "BFloat16", "Bool": "Bool",
            "Int8": "Char", "Int16": "Short", "Int32": "Int", "Int64": "Long", "UInt8": "Byte",
            "Complex64": "ComplexFloat", "Complex128": "ComplexDouble",
        }  # fmt: skip
        return f"torch.{names[str(obj.dtype)]}Tensor"
    kind = obj if isinstance(obj, type) or hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", None) or ""
    return kind.__qualname__ if module in ("", "builtins", "__builtin__") else f"{module}.{kind.__qualname__}"
