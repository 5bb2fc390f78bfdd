def torch_foreach_in_place(operation, tensors, *others):
    """torch_foreach that writes what the operation gives into the tensors of the first list.

    It works on copies, because the values that a gradient needs later would be overwritten."""
    copies = [tensor.copy() for tensor in tensors]
    for tensor, value in zip(tensors, torch_foreach(operation, copies, *others)):
        tensor[()] = value
