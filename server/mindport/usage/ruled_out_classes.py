"""Whether a text rules classes out by minus infinity before their logarithms are taken or a loss is computed:
`scores[mask] = -float("inf")`. MindSpore multiplies the logarithms of all classes by zero, which makes them NaN.

Attention and sampling rule out by minus infinity as well, but take a softmax of it, which is right."""

from __future__ import annotations

import re

_INFINITY = r"(?:-[ ]*(?:float\([ ]*['\"]inf['\"][ ]*\)|(?:np|numpy|math|torch|th)\.inf\b)"
_MINUS_INFINITY = _INFINITY + r"|float\([ ]*['\"]-inf['\"][ ]*\))"
_LOGARITHMS = ("log_softmax", "LogSoftmax", "cross_entropy", "CrossEntropy", "nll_loss", "NLLLoss")
_FUNCTION = re.compile(r"\n[ \t]*(?:async[ ])?def[ ]")
# In a function that computes logarithms or a loss.
_WRITTEN = re.compile(rf"[(\],][^\n]*?{_MINUS_INFINITY}", re.IGNORECASE)
# In a function that gives what it wrote to its callers, which compute the loss.
_NAMED = re.compile(rf"\b(\w+)(?:[ ]*:[ ]*float)?[ ]*=[ ]*{_MINUS_INFINITY}[ ]*[,)\n#]")
_FILLS = r"(?:masked_fill_?|where|scatter_?|index_fill_?)\([^\n]*"
# What is no scores of classes: the mask that is added to them, and what the next word is drawn from.
_OTHERWISE = re.compile(r"[Ss]oftmax|multinomial|\.(?:arg)?max\(|(?:top|nucle|sampl|filter|beam)\w*\(")
_MASK = re.compile(r"mask|attn|attention|causal|subsequent", re.IGNORECASE)


def rules_classes_out(text: str) -> bool:
    """Whether a function writes minus infinity and computes logarithms of classes or a loss, or gives it to others."""
    if "inf" not in text.lower():
        return False
    functions = _FUNCTION.split(text)
    if any(any(name in one for name in _LOGARITHMS) and _WRITTEN.search(one) for one in functions):
        return True
    named = "".join(rf"|\b{name}\b" for name in dict.fromkeys(_NAMED.findall(text)))
    value = f"(?:{_MINUS_INFINITY}{named})"
    given = re.compile(rf"return[ ]+(?P<receiver>[^\n]*?){_FILLS}{value}")
    written = re.compile(
        rf"^[ \t]*(?P<name>\w+)(?:\[[^\n]*\][ ]*=[ ]*|\.{_FILLS}|[ ]*=[ ]*[^\n]*?{_FILLS}){value}",
        re.MULTILINE,
    )
    for one in functions[1:]:
        signature, _, body = one.partition("\n")
        if "return" not in body or _OTHERWISE.search(one) or _MASK.search(signature.partition("(")[0]):
            continue
        if any(not _MASK.search(found["receiver"]) for found in given.finditer(body)):
            return True
        names = {found["name"] for found in written.finditer(body)}
        if any(
            not _MASK.search(name) and re.search(rf"return[ ](?:[^\n]*\W)?{name}\b", body) for name in names
        ):
            return True
    return False
