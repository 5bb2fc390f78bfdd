def torch_type_name(input):
    """PyTorch's x.type(): the name of the type of a tensor on the CPU, such as torch.FloatTensor."""
    names = {
        "Float32": "Float", "Float64": "Double", "Float16": "Half", "Int64": "Long", "Int32": "Int", "Int16": "Short",
        "Int8": "Char", "UInt8": "Byte",
    }  # fmt: skip
    name = str(input.dtype)
    return f"torch.{names.get(name, name)}Tensor"
