import re


def einops_einsum(*tensors):
    """einsum of einops for MindSpore tensors: axes have names of any length."""
    *operands, pattern = tensors
    letters = {}
    equation = re.sub(r"\w+", lambda name: letters.setdefault(name.group(), chr(97 + len(letters))), pattern)
    return torch_einsum(equation, *operands)
