def torch_foreach(operation, tensors, *others):
    """What an operation gives of each tensor of a list, together with what stands at its place in the other lists; what
    is no list goes with every tensor."""
    columns = [other if isinstance(other, (list, tuple)) else [other] * len(tensors) for other in others]
    return [operation(*each) for each in zip(tensors, *columns)]
