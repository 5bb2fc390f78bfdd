def torch_apply(network, function):
    """PyTorch's Module.apply: without the cells that MindSpore's layers keep for their own use."""
    for _, cell in torch_named_children(network):
        torch_apply(cell, function)
    function(network)
    return network
