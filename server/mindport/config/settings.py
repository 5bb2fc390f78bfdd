"""Every setting with its type, default and explanation, once: the parser, the JSON schema, the settings page
and the editor's settings are all made from this class."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mindport.model.finding import Severity

Level = Literal["hint", "information", "warning", "error"]
MODULE_NAME = r"([A-Za-z_]\w*)?"
# No absolute path, no `..` on the way, and not the project itself.
FOLDER_INSIDE = r"(?![/\\]|[A-Za-z]:)(?!(.*[/\\])?\.\.([/\\]|$))(?=.*[^./\\]).*"
_LARGEST = 1e6  # megabytes; what is more, or endless, is no limit
Code = Annotated[str, Meta(pattern=r"^(ALL|MP\d{0,3})$")]

# What git, editors and package tools leave in a project; matched as .gitignore patterns at any depth.
DEFAULT_TRACE = ".mindport/trace.json"
DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".ipynb_checkpoints",
    ".mindport_cache",
    ".mypy_cache",
    ".nox",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "node_modules",
    "site-packages",
)


class Settings(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True, kw_only=True):
    """The settings of one run or one editor folder, as `[tool.mindport]` in pyproject.toml gives them."""

    device: Annotated[
        Literal["auto", "Ascend", "GPU", "CPU"],
        Meta(
            description="The device that the ported code is to run on. `auto` takes Ascend where its toolkit is "
            "installed, GPU where the interpreter has a MindSpore that can use CUDA, else CPU."
        ),
    ] = "auto"
    target_version: Annotated[
        str,
        Meta(
            description='The MindSpore release that the ported code is to run on, in quotes: "2.10". '
            "`auto` takes the project's requirement, else the MindSpore that is installed in the interpreter, "
            "else the newest known.",
            examples=["auto", "2.10"],
            pattern=r"^(auto|r?\d+\.\d+(\.\d+)?([.-]?(rc|post|dev|a|b)\d*)?)$",
        ),
    ] = "auto"
    mode: Annotated[
        Literal["pynative", "graph"],
        Meta(description="How the ported code is to be executed: op by op, or compiled as a graph."),
    ] = "pynative"
    preset: Annotated[
        Literal["all", "silent-only"],
        Meta(
            description="Which findings to start from. `silent-only` keeps those where the code still runs "
            "but computes something else."
        ),
    ] = "all"
    select: Annotated[
        tuple[Code, ...],
        Meta(
            description="Codes or beginnings of codes to report instead of the preset, "
            'such as "MP101" or "MP1".'
        ),
    ] = ()
    ignore: Annotated[
        tuple[Code, ...],
        Meta(description="Codes or beginnings of codes not to report. The longer of two beginnings decides."),
    ] = ()
    severity: Annotated[
        dict[Code, Level],
        Meta(description="Another severity for a code or a beginning of codes."),
    ] = {}
    min_severity: Annotated[
        Literal["auto", "hint", "information", "warning", "error"],
        Meta(
            description="The lowest severity to report. With `auto`, text for people only counts the hints "
            "(plain renames), "
            "while machine-readable output and editors get them all."
        ),
    ] = "auto"
    fail_on: Annotated[
        Literal["hint", "information", "warning", "error", "never"],
        Meta(description="The lowest severity of findings that a run fails for, with exit code 1."),
    ] = "warning"
    per_file_ignores: Annotated[
        dict[str, tuple[Code, ...]],
        Meta(description="Codes not to report in the files that a pattern matches."),
    ] = {}
    exclude: Annotated[
        tuple[str, ...],
        Meta(
            description="Files and directories to leave out, as patterns of .gitignore relative to "
            "pyproject.toml. A file that is named on the command line is taken all the same, unless `force-exclude` "
            "is set."
        ),
    ] = DEFAULT_EXCLUDE
    extend_exclude: Annotated[
        tuple[str, ...], Meta(description="Patterns to leave out besides `exclude`.")
    ] = ()
    force_exclude: Annotated[
        bool,
        Meta(
            description="Whether `exclude` also speaks for files that are named on the command line, as pre-commit "
            "names them."
        ),
    ] = False
    respect_gitignore: Annotated[bool, Meta(description="Whether to leave out what git ignores.")] = True
    max_file_size: Annotated[
        float, Meta(description="The largest file to analyse, in megabytes. A larger one is reported.", gt=0)
    ] = 5
    unsafe_fixes: Annotated[
        bool,
        Meta(description="Whether `mindport fix` also applies fixes that a person should look at."),
    ] = False
    helper_module: Annotated[
        str,
        Meta(
            description="The module that the helpers of converted files go into once several files of one package or "
            "folder need any, or one of them many lines. Empty to keep them in each file.",
            pattern=rf"^{MODULE_NAME}$",
        ),
    ] = "torch_equivalents"
    jobs: Annotated[int, Meta(description="How many processes to use; 0 for one for each core.", ge=0)] = 0
    cache_dir: Annotated[
        str,
        Meta(
            description="The folder inside of the project where results are kept between runs, relative to it.",
            pattern=rf"^{FOLDER_INSIDE}$",
        ),
    ] = ".mindport_cache"
    interpreter: Annotated[
        str,
        Meta(
            description="The Python interpreter of the project; its installed MindSpore gives version and "
            "device for `auto`. Empty for the active environment, else the project's .venv. It is looked at, not run."
        ),
    ] = ""
    evidence: Annotated[
        tuple[str, ...],
        Meta(
            description="Files that `mindport prove` wrote, relative to pyproject.toml: what ran and agreed there "
            "counts for exactly that version and device, what disagreed is never safe. `mindport-evidence.json` "
            "is found by itself."
        ),
    ] = ()
    mapping_paths: Annotated[
        tuple[str, ...],
        Meta(
            description="Folders with mapping files of the team's own, relative to pyproject.toml. They judge names "
            "that the catalogue does not, and are taken before it for those that it does; what `mindport prove` saw of "
            "them is their evidence."
        ),
    ] = ()
    trace_file: Annotated[
        str,
        Meta(
            description="The file that `mindport trace` writes, relative to pyproject.toml: what a run of the original "
            "showed counts for files that have not changed since. Empty: it does not."
        ),
    ] = DEFAULT_TRACE
    locale: Annotated[
        Literal["auto", "en", "zh-cn"],
        Meta(
            description="The language of messages, cards and reports. `auto` takes the editor's, on the command line "
            "that of the terminal (LC_ALL, LC_MESSAGES, LANG). What has no translation is shown in English; output "
            "for programs always is."
        ),
    ] = "auto"
    show_hints: Annotated[
        bool, Meta(description="Editors only: whether plain renames and guesses are marked in the text.")
    ] = False
    code_lens: Annotated[
        bool,
        Meta(
            description="Editors only: whether a line above each file and module class says how much of it is ready, "
            "and one at the entry point of a program how far it is expected to come, once the folder was surveyed."
        ),
    ] = False
    inlay_hints: Annotated[
        bool,
        Meta(
            description="Editors only: whether hints in the lines say which arguments a call leaves out that MindSpore "
            "has another default for, and what a run of the program (`mindport trace`) showed a call to give: "
            "`float32[8, 64]`."
        ),
    ] = False

    check_closed_files: Annotated[
        bool,
        Meta(
            description="Editors only: whether files that are not open are checked in the background, where the editor "
            "can show their findings. The command `mindport.index` checks them whatever is said here."
        ),
    ] = True

    @property
    def lowest_severity(self) -> Severity:
        """The lowest severity that findings are made for; `auto` makes them all."""
        return Severity.HINT if self.min_severity == "auto" else severity_of(self.min_severity)

    @property
    def fails_from(self) -> Severity | None:
        """The lowest severity that a run fails for; None where it never does."""
        return None if self.fail_on == "never" else severity_of(self.fail_on)

    @property
    def all_excludes(self) -> tuple[str, ...]:
        """The patterns of both exclude settings."""
        return self.exclude + self.extend_exclude

    @property
    def max_file_bytes(self) -> int:
        """The largest file to analyse, in bytes."""
        return int(min(self.max_file_size, _LARGEST) * 1024 * 1024)


def severity_of(level: Level) -> Severity:
    """The severity that a word of the settings stands for."""
    return Severity[level.upper()]
