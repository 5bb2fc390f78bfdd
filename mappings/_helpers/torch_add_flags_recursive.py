import mindspore


def torch_add_flags_recursive(self, **flags):
    """Cell.add_flags_recursive for a class with a `set_train` of its own: cells that hold it call that, as PyTorch's
    do, where MindSpore's set a flag alone."""
    state = vars(self)
    if "training" not in flags or state.get("torch_is_switching"):
        return mindspore.nn.Cell.add_flags_recursive(self, **flags)
    state["torch_is_switching"] = True
    try:
        self.set_train(flags["training"])
    finally:
        del state["torch_is_switching"]
    return self
