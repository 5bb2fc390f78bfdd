"""Names that say what a value is of which nothing else tells: everyone calls devices and dtypes so, and hardly anything
else."""

from __future__ import annotations

from mindport.usage.types import DEVICE, DTYPE, INFERRED, UNKNOWN, Tag, Type, weakened

_OF_DEVICES = ("device", "gpu", "gpu_id", "local_rank")
_OF_OTHERS = (Tag.EXTERNAL_VALUE, Tag.OTHER)


def by_name(name: object) -> Type:
    """What a value is that only its name tells of."""
    if name in _OF_DEVICES:
        return weakened(DEVICE, INFERRED)
    is_of_dtype = isinstance(name, str) and (name == "dtype" or name.endswith("_dtype"))
    return weakened(DTYPE, INFERRED) if is_of_dtype else UNKNOWN


def told_or_by_name(found: Type, name: object) -> Type:
    """What an attribute is: what is told of it, or what its name says. Options of the command line are no more than
    their names say, too."""
    if found is not UNKNOWN and found.tag not in _OF_OTHERS:
        return found
    named = by_name(name)
    return found if named is UNKNOWN else named


def parameter_by_name(name: str, default: Type) -> Type:
    """What a parameter is that nobody is seen to pass. A dtype that may be None is none for certain."""
    found = by_name(name)
    return UNKNOWN if found.name == DTYPE.name and default.tag is Tag.NONE else found
