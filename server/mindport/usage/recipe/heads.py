"""What the shape of a detection head shows: separate branches for class and box, boxes with or without anchors."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.source.trees import every_node
from mindport.source.written_names import last_name
from mindport.usage.recipe.code import Code
from mindport.usage.recipe.entry import ChecklistTopic, Entry
from mindport.usage.recipe.values import Values

_CLASS_BRANCH = re.compile(r"^(cls|class|classification)_?(convs?|towers?|subnet|branch|stems?|feats?|head)$")
_BOX_BRANCH = re.compile(
    r"^(reg|regression|box|bbox|loc)_?(convs?|towers?|subnet|branch|stems?|feats?|head)$"
)
_ANCHORS = re.compile(r"^(anchors?|anchor_(generator|sizes|boxes|scales|ratios|masks?|grid)|all_anchors)$")
_POINTS = re.compile(r"^(grids?|points|mlvl_points|center_?ness|locations|get_points)$")
_STRIDES = re.compile(r"^(expanded_)?strides?$|fpn_strides")


def detection_heads(code: Code, values: Values) -> Iterator[Entry]:
    """Entries for decoupled and for anchor-free heads."""
    for node, file in code.module_classes.items():
        own = {
            target.attr: target.lineno
            for inner in every_node(node)
            if isinstance(inner, ast.Assign)
            for target in inner.targets
            if isinstance(target, ast.Attribute) and last_name(target.value) == "self"
        }
        classes = [name for name in own if _CLASS_BRANCH.match(name)]
        boxes = [name for name in own if _BOX_BRANCH.match(name)]
        if not classes or not boxes or not values.mentions.callers(node.name):
            continue
        yield Entry(
            ChecklistTopic.STRUCTURE_POINTS,
            "decoupled head",
            file.place(node),
            note=f"{node.name} has {classes[0]} and {boxes[0]}",
        )
        names = {last_name(inner) for inner in every_node(node)} | {
            inner.arg for inner in every_node(node) if isinstance(inner, ast.arg)
        }
        points = sorted(name for name in names if _POINTS.match(name))
        if (
            points
            and any(_STRIDES.match(name) for name in names)
            and not any(_ANCHORS.match(name) for name in names)
        ):
            yield Entry(
                ChecklistTopic.STRUCTURE_POINTS,
                "anchor-free",
                file.place(node),
                note=f"{node.name} decodes boxes from {points[0]} and strides and knows no anchor boxes",
            )
