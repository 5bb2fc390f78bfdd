"""What a model file imports from the packages of the bench: the part of them that has to be ported with it.

An `__init__.py` would draw in its whole package. Of those only what gives the names that are asked of them counts, so a
model is ported with what it uses and not with a hundred others beside it."""

from __future__ import annotations

import ast
from collections import deque
from pathlib import Path

EVERYTHING = "*"


class Closure:
    """The files that are imported with some files, from packages with these roots below `sources`. `trees` keeps what
    was parsed for the next one."""

    def __init__(
        self, sources: Path, roots: frozenset[str], *files: str, trees: dict[str, ast.Module] | None = None
    ) -> None:
        self.sources, self.roots = sources, roots
        self._trees: dict[str, ast.Module] = {} if trees is None else trees
        # What is asked of each file, and of each __init__.py the places of the statements that give it.
        self._asked: dict[str, set[str]] = {}
        self._kept: dict[str, dict[int, set[str]]] = {}
        self._todo = deque((file, EVERYTHING) for file in files)
        while self._todo:
            self._ask(*self._todo.popleft())

    @property
    def files(self) -> list[str]:
        """Paths relative to `sources`."""
        return sorted(self._asked)

    def text(self, file: str) -> str:
        """What the file holds here: all of it, or what is left of an __init__.py."""
        text = (self.sources / file).read_text(encoding="utf-8")
        if file not in self._kept:
            return text
        tree, kept = self._tree(file), self._kept[file]
        body = []
        for place, statement in enumerate(tree.body):
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                body.append(statement)
            elif place in kept:
                names = kept[place]
                if isinstance(statement, (ast.Import, ast.ImportFrom)) and EVERYTHING not in names:
                    aliases = [one for one in statement.names if _bound(one) in names]
                    statement = (
                        ast.ImportFrom(statement.module, aliases, statement.level)
                        if isinstance(statement, ast.ImportFrom)
                        else ast.Import(aliases)
                    )
                body.append(statement)
        return ast.unparse(ast.fix_missing_locations(ast.Module(body, []))) + "\n" if body else ""

    def write(self, folder: Path) -> None:
        """Write the files to a folder, a project of its own with all its packages."""
        for file in self.files:
            place = folder / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(self.text(file), encoding="utf-8")
            for package in place.relative_to(folder).parents[:-1]:
                (folder / package / "__init__.py").touch()
        (folder / "pyproject.toml").write_text("[tool.mindport]\n")

    def _tree(self, file: str) -> ast.Module:
        if file not in self._trees:
            self._trees[file] = ast.parse((self.sources / file).read_text(encoding="utf-8"))
        return self._trees[file]

    def _ask(self, file: str, name: str) -> None:
        asked = self._asked.setdefault(file, set())
        if name in asked or (asked and not _is_init(file)):
            return
        asked.add(name)
        if not _is_init(file) or name == EVERYTHING:
            self._kept.pop(file, None)
            self._follow(file, self._tree(file).body)
            return
        if EVERYTHING in asked:
            return
        kept = self._kept.setdefault(file, {})
        giving = self._giving(file, name)
        if giving is None:
            if (below := self._file_of([*Path(file).parent.parts, name])) is not None:
                self._todo.append((below, EVERYTHING if not _is_init(below) else ""))
            return
        statement = self._tree(file).body[giving]
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            star = isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"
            kept.setdefault(giving, set()).add(EVERYTHING if star else name)
            self._follow(file, [statement], {name})
        else:
            kept.setdefault(giving, set()).add(EVERYTHING)
            self._follow(file, [statement])
            read = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            self._todo.extend((file, other) for other in sorted(read - asked))

    def _giving(self, file: str, name: str) -> int | None:
        """The place of the statement of an __init__.py that binds this name."""
        stars = []
        for place, statement in reversed(list(enumerate(self._tree(file).body))):
            if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
                stars.append((place, statement))
            elif isinstance(statement, (ast.Import, ast.ImportFrom)):
                if any(_bound(one) == name for one in statement.names):
                    return place
            elif name in _names_bound(statement):
                return place
        for place, statement in reversed(stars):
            module = self._file_of(self._module(file, statement))
            if module is not None and self._binds(module, name, set()):
                return place
        return None

    def _binds(self, file: str, name: str, seen: set[str]) -> bool:
        seen.add(file)
        for statement in self._tree(file).body:
            if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
                module = self._file_of(self._module(file, statement))
                if module is not None and module not in seen and self._binds(module, name, seen):
                    return True
            elif name in _names_bound(statement):
                return True
        return False

    def _follow(self, file: str, body: list[ast.stmt], only: set[str] | None = None) -> None:
        """Ask for what these statements import when they run."""
        for node in _executed(body):
            if isinstance(node, ast.Import):
                for one in node.names:
                    self._follow_import(file, one, only)
            elif isinstance(node, ast.ImportFrom):
                module = self._module(file, node)
                if module[:1] and module[0] not in self.roots:
                    continue
                for one in node.names:
                    if one.name == "*" and only:
                        self._ask_of(module, set(only))
                    elif not only or _bound(one) in only:
                        self._ask_of(module, {one.name})
                        below = self._file_of([*module, one.name])
                        if below is not None and _is_init(below):
                            self._ask_of([*module, one.name], self._attributes(file, _bound(one)))

    def _follow_import(self, file: str, alias: ast.alias, only: set[str] | None) -> None:
        parts = alias.name.split(".")
        if parts[0] not in self.roots or (only and _bound(alias) not in only):
            return
        named = bool(alias.asname) or len(parts) == 1
        self._ask_of(parts, self._attributes(file, _bound(alias)) if named else {""})

    def _attributes(self, file: str, name: str) -> set[str]:
        """What this file reads from the module that it calls `name`."""
        return {
            node.attr
            for node in ast.walk(self._tree(file))
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
        }

    def _ask_of(self, module: list[str], names: set[str]) -> None:
        target = self._file_of(module)
        if target is None:
            return
        for name in names:
            below = (
                self._file_of([*module, name]) if _is_init(target) and name not in ("", EVERYTHING) else None
            )
            if below is not None and self._giving(target, name) is None:
                self._todo.append((below, "" if _is_init(below) else EVERYTHING))
                self._todo.append((target, ""))
            else:
                self._todo.append((target, name))

    def _module(self, file: str, node: ast.ImportFrom) -> list[str]:
        package = list(Path(file).parent.parts)
        start = package[: len(package) - node.level + 1] if node.level else []
        return [*start, *(node.module.split(".") if node.module else [])]

    def _file_of(self, module: list[str]) -> str | None:
        if not module or module[0] not in self.roots:
            return None
        place = self.sources.joinpath(*module)
        for candidate in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if candidate.is_file():
                return candidate.relative_to(self.sources).as_posix()
        return None


def _is_init(file: str) -> bool:
    return file.endswith("__init__.py")


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _names_bound(statement: ast.stmt) -> set[str]:
    found = set()
    for node in _executed([statement]):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(_bound(one) for one in node.names)
    return found


def _executed(body: list[ast.stmt]) -> list[ast.AST]:
    """What runs when these statements do: all but the bodies of functions and what only type checkers read."""
    found: list[ast.AST] = []
    todo: list[ast.AST] = list(body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))
    return found
