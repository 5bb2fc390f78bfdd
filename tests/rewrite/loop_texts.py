"""Loops text to text: files of a folder with the code, a line `# becomes`, and what it becomes, or a line `# stays:`
with the reason."""

from mindport.rewrite.apply import apply_edits
from mindport.rewrite.compose import compose
from mindport.usage.project import Project

PATH = "/project/train.py"


def rewritten_loops(text, rewrites_of):
    """What the loops of a text become by `rewrites_of(text, usage)`, which fixes that takes, and why others stay."""
    project = Project("/project")
    project.add(PATH, text)
    usage = project.usage(PATH)
    found = rewrites_of(text, usage)
    edits = compose(text, [one.rewrite for one in found.rewrites], usage, PATH)
    kinds = {one.rewrite.applicability for one in found.rewrites}
    return apply_edits(text, edits), kinds, [refusal.reason for refusal in found.refusals]


def cases(folder, marker):
    """The names of the files that have the line."""
    return sorted(file.stem for file in folder.glob("*.txt") if marker in file.read_text())
