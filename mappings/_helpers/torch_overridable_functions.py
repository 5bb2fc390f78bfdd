import mindspore


def torch_overridable_functions():
    """MindSpore's functions and methods of Tensor, by the module or class that has them."""
    spaces = (mindspore.ops, mindspore.mint, mindspore.mint.nn.functional, mindspore.Tensor)
    return {
        space: [
            member
            for name, member in vars(space).items()
            if not name.startswith("_") and callable(member) and hasattr(member, "__code__")
        ]
        for space in spaces
    }
