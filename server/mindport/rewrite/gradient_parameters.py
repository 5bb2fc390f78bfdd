"""The parameters of `torch.autograd.grad` that steps and penalties use, in their order."""

GRADIENT_PARAMETERS = (
    "outputs",
    "inputs",
    "grad_outputs",
    "retain_graph",
    "create_graph",
    "only_inputs",
    "allow_unused",
)
