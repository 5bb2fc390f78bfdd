import mindspore


def torch_vector_to_parameters(vec, parameters):
    """PyTorch's vector_to_parameters: one vector, part by part, becomes the values of the parameters."""
    start = 0
    for parameter in parameters:
        part = vec[start : start + parameter.size].reshape(parameter.shape)
        TorchElements(parameter)[()] = mindspore.ops.stop_gradient(part)
        start += parameter.size
