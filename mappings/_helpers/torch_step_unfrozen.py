def torch_step_unfrozen(optimizer, gradients):
    """A step of an optimizer that leaves the parameters as they are that are frozen now, as PyTorch's do, which have no
    gradient for those."""
    torch_step_reached(optimizer, [one.requires_grad for one in optimizer.parameters], gradients)
