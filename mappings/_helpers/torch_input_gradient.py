import functools

import mindspore
import mindspore.common.api


@functools.cache
def torch_input_gradient(network, output=None, position=0):
    """A function for the gradient of the sum of a network's outputs, or of one of several, for the input at a position.
    It is compiled once for each network: in PyNative mode a gradient of it would come out wrong where the network has
    views such as flatten. What cannot be compiled as it is written, such as closures of Python, is traced, and so are
    layers that write into their input: in a graph nobody else would see what they wrote."""

    network = getattr(network, "torch_compiled", network)  # of a gradient

    def one_of_several(*inputs):
        return network(*inputs)[output]

    function = network if output is None else one_of_several
    compiled = mindspore.jit(mindspore.grad(function, position))
    key = (network, output)
    traced = torch_traced_gradient(function, position, key)
    whole = getattr(network, "__self__", network)
    cells = [cell for _, cell in whole.cells_and_names()] if isinstance(whole, mindspore.nn.Cell) else []
    norms = (mindspore.nn.BatchNorm1d, mindspore.nn.BatchNorm2d, mindspore.nn.BatchNorm3d)
    overwrites = any(type(cell).__name__ == "TorchInPlace" for cell in cells)

    def counts():
        return any(isinstance(cell, norms) and cell.training for cell in cells)

    def gradient(*inputs):
        if overwrites and counts():
            raise NotImplementedError(
                "traced for a layer that works in place, batch norms would count too often"
            )
        if overwrites or key in vars(mindspore).get("_torch_traced_functions", ()):
            return traced(*inputs)
        executor = mindspore.common.api._pynative_executor
        executor.clear_res = lambda: None  # what is recorded around it must outlive an error
        try:
            return compiled(*inputs)
        except (AttributeError, NameError, RuntimeError, SyntaxError, TypeError, ValueError):
            if counts():
                raise  # traced, a network runs more often, which would count in running statistics
            return traced(*inputs)
        finally:
            del executor.clear_res

    gradient.torch_compiled = compiled
    return gradient
