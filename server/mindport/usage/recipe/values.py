"""What the expressions and settings of a project stand for, as far as its text tells."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.usage.recipe.answer import Answer, KnownValue, shown
from mindport.usage.recipe.code import Code, SourceFile
from mindport.usage.recipe.commands import Command
from mindport.usage.recipe.entry import Detail
from mindport.usage.recipe.mentions import Mentions
from mindport.usage.recipe.settings import ProjectSettings, Setting, SettingKind
from mindport.usage.recipe.written import Evaluation


class Values:
    """Answers what expressions of a project stand for, and what it sets names to."""

    def __init__(self, code: Code, settings: ProjectSettings, commands: Sequence[Command] = ()) -> None:
        self.code = code
        self.settings = settings
        self.commands = tuple(commands)
        self.mentions = Mentions(code)
        self._answers: dict[ast.expr, Answer] = {}

    def detail(self, name: str, file: SourceFile, node: ast.expr) -> Detail:
        """An argument as a detail of an entry."""
        answer = self.value(file, node)
        if isinstance(answer, KnownValue):
            return Detail(name, shown(answer.value), answer.place)
        return Detail(name, answer.text, file.place(node), is_known=False)

    def value(self, file: SourceFile, node: ast.expr) -> Answer:
        """What `node`, an expression of `file`, stands for."""
        # The same expressions are asked for again and again while a network is built.
        if node not in self._answers:
            self._answers[node] = self._question().answer(file, node)
        return self._answers[node]

    def setting(self, name: str) -> KnownValue | None:
        """What the project sets a name to: of several places the one that decides most."""
        return self._question().setting(name)

    def _question(self) -> Evaluation:
        return Evaluation(self.code, self.settings, self.mentions)

    def settled(self, setting: Setting) -> object:
        """The value that one place gives a setting; None where it is None or not known."""
        if setting.node is None or setting.file is None:
            return setting.value
        answer = self.value(setting.file, setting.node)
        return answer.value if isinstance(answer, KnownValue) else None

    def elsewhere(self, name: str, chosen: KnownValue) -> str:
        """Where else the project gives a setting another value than the chosen one; empty where nowhere."""
        found = []
        for setting in self.settings.named(name):
            if setting.kind in (SettingKind.PARAMETER, SettingKind.KEY) or setting.place == chosen.place:
                continue
            other = self.settled(setting)
            if other is not None and other != chosen.value:
                found.append(f"{shown(other)} in {setting.place}")
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        return f"elsewhere {', '.join(found[:3])}{more}" if found else ""

    def is_settled(self, file: SourceFile, name: str) -> bool:
        """Whether all places that set a name in classes, options, modules and files agree, or the file itself has an
        option of that name."""
        found = set()
        for setting in self.settings.named(name):
            if setting.kind is SettingKind.OPTION and setting.file is file:
                return True
            if setting.kind is SettingKind.PARAMETER or setting.node is None or setting.file is None:
                continue
            answer = self.value(setting.file, setting.node)
            if not isinstance(answer, KnownValue):
                return False
            if answer.value is not None:
                found.add(repr(answer.value))
        return len(found) == 1
