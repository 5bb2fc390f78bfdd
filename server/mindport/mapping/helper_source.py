"""The classes and functions of `mappings/_helpers/`: MindSpore code with the signature of a torch name, which a fix
puts into the user's file once. Converted code does not depend on mindport.

They serve where the arguments of a call cannot be seen: a class that is passed on (`norm_layer=nn.BatchNorm2d`), a
base class, `**kwargs`, a value that decides how the call is to be written."""

from __future__ import annotations

import ast
import functools
import re
import sys

from mindport.registry.location import mappings_folder
from mindport.source.trees import every_node

_ROOTS = ("mindspore", "numpy")  # MindSpore needs NumPy itself


@functools.cache
def helper_source(name: str) -> str:
    """The definition of the helper, without the imports above it; empty where there is no such helper."""
    text = _text(name)
    match = re.search(rf"^(?:@[^\n]*\n)*(?:class|def) {re.escape(name)}\b", text, re.MULTILINE)
    return text[match.start() :].rstrip() + "\n" if match else ""


@functools.cache
def needed_helpers(name: str) -> tuple[str, ...]:
    """The helper and those that its definition names, in the order they have to be defined."""
    tree = ast.parse(helper_source(name))
    words = dict.fromkeys(node.id for node in every_node(tree) if isinstance(node, ast.Name))
    others = [word for word in words if word != name and helper_source(word)]
    return (*(one for other in others for one in needed_helpers(other)), name)


@functools.cache
def helper_imports(name: str) -> tuple[str, ...]:
    """The import statements that the definition needs."""
    return tuple(line for line in _text(name).splitlines() if line.startswith("import "))


@functools.cache
def helper_parameters(name: str) -> tuple[str, ...]:
    """The names of the parameters of a function that can be passed by place and by name; empty for classes and for
    functions with other parameters."""
    own, is_class = _own_arguments(name)
    if is_class or own.posonlyargs or own.kwonlyargs or own.vararg or own.kwarg:
        return ()
    return tuple(argument.arg for argument in own.args)


@functools.cache
def helper_defaults(name: str) -> tuple[tuple[str, str], ...]:
    """The parameters of a helper, those that can be passed by place first, each with the source of its default; empty
    where it has none. Nothing for what is no helper, and for those that take whatever they get."""
    own, is_class = _own_arguments(name)
    if own.posonlyargs or own.vararg:
        return ()
    names = [one.arg for one in own.args]
    sources = [""] * (len(names) - len(own.defaults)) + [ast.unparse(one) for one in own.defaults]
    names += [one.arg for one in own.kwonlyargs]
    sources += ["" if one is None else ast.unparse(one) for one in own.kw_defaults]
    return tuple(zip(names, sources, strict=True))[is_class:]


@functools.cache
def takes_arguments(name: str, count: int, keywords: tuple[str, ...]) -> bool:
    """Whether the helper has a place for `count` arguments without a name and for those with these names. True for a
    class that leaves its arguments to another one."""
    own, is_class = _own_arguments(name)
    placed = [one.arg for one in own.posonlyargs + own.args][is_class:]
    free = {*placed[count:], *(one.arg for one in own.kwonlyargs)}
    has_room = own.vararg is not None or count <= len(placed)
    return has_room and (own.kwarg is not None or free.issuperset(keywords))


@functools.cache
def _own_arguments(name: str) -> tuple[ast.arguments, bool]:
    """The parameters of a helper, and whether they are those of a class, beginning with `self`. Any at all for a class
    that leaves them to another one, and for what is no helper."""
    for node in ast.parse(helper_source(name)).body:
        is_class = isinstance(node, ast.ClassDef)
        for function in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(function, ast.FunctionDef) and function.name in (name, "__init__"):
                return function.args, is_class
    anything = ast.parse("lambda *arguments, **options: 0", mode="eval").body
    assert isinstance(anything, ast.Lambda)
    return anything.args, False


def with_helpers(code: str) -> str:
    """`code` with the definitions of the helpers it names above it, so that it can be run by itself."""
    words = dict.fromkeys(re.findall(r"\b[A-Za-z_]\w*", code))
    used = dict.fromkeys(one for word in words if helper_source(word) for one in needed_helpers(word))
    imports = dict.fromkeys(statement for name in used for statement in helper_imports(name))
    return "\n".join([*imports, *(helper_source(name) for name in used), code])


def helper_problem(name: str) -> str:
    """What is wrong with the file of a helper; empty if nothing is."""
    text = _text(name)
    if not text:
        return f"there is no mappings/_helpers/{name}.py"
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return f"mappings/_helpers/{name}.py is no Python: {error.msg}"
    kinds = (ast.ClassDef, ast.FunctionDef)
    defined = [node.name for node in tree.body if isinstance(node, kinds)]
    if defined != [name]:
        return f"mappings/_helpers/{name}.py has to define {name} and nothing else, not {', '.join(defined)}"
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module != "__future__":
            return "a helper writes full names (`mindspore.ops.cat`): the user's file may use the short ones otherwise"
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.split(".")[0]
                if alias.asname or (root not in _ROOTS and root not in sys.stdlib_module_names):
                    return (
                        f"a helper imports mindspore, NumPy and Python's own modules only, not {alias.name}"
                    )
    return ""


@functools.cache
def _text(name: str) -> str:
    path = mappings_folder() / "_helpers" / f"{name}.py"
    return path.read_text(encoding="utf-8") if name.isidentifier() and path.is_file() else ""
