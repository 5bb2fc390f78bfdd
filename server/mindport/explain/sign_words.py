"""What the conditions that ask where a use stands mean in words: `$module` is for whoever writes mappings."""

from __future__ import annotations

from mindport.model.language import later, say, translated

_WORDS = {
    "$annotation": (later("it is an annotation"), ""),
    "$call": (later("it is called"), later("it is not called")),
    "$new": (later("the tensor is new"), later("the tensor may be known elsewhere")),
    "$module": (later("it stands inside a network class"), later("it stands outside of network classes")),
    "$optimizer": (later("it stands in the arguments of an optimizer"), ""),
    "$parameter": (later("the value is a Parameter"), ""),
    "$bits": (
        later("the project works with the bits of whole numbers"),
        later("the project works with the bits of no whole numbers"),
    ),
    "$complex": (later("the project uses complex numbers"), ""),
    "$doubles": (
        later("the project has numbers of double precision"),
        later("the project has no numbers of double precision"),
    ),
    "$names": (later("the project lists weights by name or reads files of weights"), ""),
    "$kernels": (later("the project sets the weights of layers or asks for their axes"), ""),
    "$emptiness": (later("the project asks whether tensors have elements"), ""),
    "$gradients": (
        later("the project reads gradients of tensors or asks for them"),
        later("the project asks for the gradient of no tensor"),
    ),
    "$rates": (later("the project sets learning rates itself, or has schedules of its own"), ""),
    "$seeds": (
        later(
            "the project draws or hashes seeds, which may be below zero or of more than 32 bits, or takes them as text"
        ),
        "",
    ),
    "$ruled_out": (later("the project rules classes out by minus infinity"), ""),
    "$settings": (later("the project sets `eps` or `momentum` of layers that are built"), ""),
    "$inner": (later("the project has layers that keep cells of their own inside in MindSpore"), ""),
    "$lists": (later("the project gives layers lists as sizes"), ""),
    "$sized": (later("the project tells a layer the size of its result when it calls it"), ""),
    "$unbiased": (later("the project may have layers without a bias"), ""),
    "$unfrozen": (
        later("the project gives frozen parameters their gradients back"),
        later("the project unfreezes no parameters"),
    ),
    "$lengths": (later("the project takes the largest of an array of NumPy"), ""),
    "$statistics": (later("the project has norms of its own with running statistics"), ""),
    "$forward": (later("a class of the project does without the norm's `forward`"), ""),
    "$overwritten": (later("running statistics are changed in place"), ""),
    "$indices": (later("the file asks for indices, which MindSpore gives as int32"), ""),
    "$tables": (later("the file joins what stands in a table under names"), ""),
    "$empty": (later("the file makes tensors without elements"), ""),
    "$entries": (later("only entries of the groups are read and set"), ""),
    "$squeezed": (later("an index in the file may have lost its axis"), ""),
    "$torch": (later("the file imports torch"), ""),
    "$few_axes": (later("the network gives the layer tensors of two or three axes"), ""),
    "$reread": (later("the network reads the input that the layer overwrites"), ""),
    "$shared": (later("others have the tensor"), ""),
    "$viewed": (later("others have the tensor in another shape"), ""),
    "$mask": (later("the tensor holds truth values"), ""),
    "$selected": (later("a mask selects the elements"), ""),
    "$cut": (later("the index is a piece of a tensor"), ""),
    "$masks": (later("a mask is joined with something else"), ""),
    "$mixed": (
        later("the weight may be that of a norm or table as well as of another layer"),
        later("the kind of layer that the weight is of is known"),
    ),
    "$inherited": (later("`super()` is asked for it in a class of the project"), ""),
    "$modes": (later("it may be a class of the project that is no network"), ""),
    "$several": (later("it may be a network as well as an optimizer or a class of the project"), ""),
    "$infinite": (later("the file has infinite numbers"), ""),
    "$saturated": (later("the file asks what is left to 1 of a value such as `tanh(x)`"), ""),
    "$zeros": (later("the file asks whether a norm is zero"), ""),
    "$former": (later("the value may be what torch made"), ""),
}


def sign_words(name: str, *, holds: bool) -> str | None:
    """A condition about where a use stands, as a clause; None for any other condition."""
    if name not in _WORDS:
        return None
    holding, missing = _WORDS[name]
    if holds:
        return translated(holding)
    return translated(missing) if missing else say("not: {results}", results=translated(holding))
