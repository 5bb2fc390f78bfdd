def torch_register_pytree_node(cls, flatten_fn, unflatten_fn, **names):
    """PyTorch's register_pytree_node: has the tree functions look into a class; `names` serve exports alone."""
    TorchTreeSpec.registered[cls] = flatten_fn, unflatten_fn
