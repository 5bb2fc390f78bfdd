"""What the migration guide wants checked of the reference before it is ported: licence, claims, dependencies, data
sets, seeds and determinism, checkpoints."""

from __future__ import annotations

import ast
import enum
import re
import sys
from collections.abc import Iterator, Mapping

import msgspec

from mindport.source.syntax import SYNTAX_ERRORS, parse_tree
from mindport.source.trees import every_node
from mindport.source.written_names import dotted_text, last_name
from mindport.usage.recipe.answer import shown
from mindport.usage.recipe.code import Code, written
from mindport.usage.recipe.entry import SettingLine
from mindport.usage.recipe.settings import SettingKind
from mindport.usage.recipe.values import Values


class Question(enum.Enum):
    """What is asked of a reference. The value is the heading."""

    LICENCE = "Licence"
    PAPER = "Papers"
    CLAIM = "Claims of the documents"
    PINNED = "Dependencies with an exact version"
    BOUNDED = "Dependencies with bounds only"
    UNPINNED = "Dependencies without a version"
    MISSING = "Imported, but not among the dependencies"
    DATA = "Data sets"
    SEED = "Seeds and determinism"
    CHECKPOINT = "Checkpoints"


class Fact(msgspec.Struct, frozen=True):
    """One answer, and where it is written."""

    question: Question
    what: str
    place: SettingLine | None = None


_LICENCES = (
    ("Apache License 2.0", r"Apache License,?\s+Version 2\.0"),
    ("GNU AGPL 3", r"GNU AFFERO GENERAL PUBLIC LICENSE"),
    ("GNU LGPL", r"GNU LESSER GENERAL PUBLIC LICENSE"),
    ("GNU GPL 3", r"GNU GENERAL PUBLIC LICENSE\s+Version 3"),
    ("GNU GPL 2", r"GNU GENERAL PUBLIC LICENSE\s+Version 2"),
    ("Mozilla Public License 2.0", r"Mozilla Public License Version 2\.0"),
    ("Creative Commons, not for commercial use", r"NonCommercial|Attribution-NonCommercial"),
    ("Creative Commons", r"Creative Commons"),
    ("NVIDIA source code licence", r"Nvidia Source Code License"),
    (
        "BSD with three clauses",
        r"Redistribution and use in source(?s:.*)(Neither the name|names? of (its|the))",
    ),
    ("BSD with two clauses", r"Redistribution and use in source"),
    ("MIT", r"MIT License|Permission is hereby granted, free of charge"),
    ("Unlicense", r"This is free and unencumbered software"),
)
_DATASETS = re.compile(
    r"\b(MS[ -]?COCO|COCO(?:[ _-]?20\d\d)?|Pascal[ _-]?VOC|VOC(?:20\d\d)|ImageNet(?:-?\d+k)?|CIFAR-?100|CIFAR-?10"
    r"|Fashion-?MNIST|MNIST|SVHN|STL-?10|CelebA(?:-HQ)?|FFHQ|LSUN|Cityscapes|ADE20K|KITTI|nuScenes|Carvana|OpenWebText|TinyStories"
    r"|[Tt]iny ?[Ss]hakespeare|shakespeare_char|WikiText-?(?:2|103)?|enwik8|SQuAD|GLUE|WMT\d\d|IWSLT\d*|LibriSpeech"
    r"|LJSpeech|VCTK|ShapeNet|ModelNet\d*|ScanNet|MuJoCo|Atari|Kinetics-?\d*|UCF-?101|Places365|Flickr30k|LAION(?:-\w+)?|MovieLens"
    r"|Criteo|Cora|Citeseer|PubMed|Reddit|Objects365|LVIS|CrowdHuman|WiderFace|MOT1\d|Market-?1501)\b"
)
# Wrappers of data sets, which say nothing of the data.
_GENERIC = re.compile(
    r"^(\w*(Concat|Mix|Cache|Base|Wrapper|Repeat|Subset|Multi\w*|Tensor|Iterable)\w*)?Dataset$", re.IGNORECASE
)
_SEEDS = (
    ("torch.manual_seed", re.compile(r"(^|\.)manual_seed$")),
    ("numpy.random.seed", re.compile(r"^(np|numpy)\.random\.(seed|default_rng|RandomState)$")),
    ("random.seed", re.compile(r"^random\.seed$")),
    ("torch.cuda.manual_seed", re.compile(r"cuda\.manual_seed(_all)?$")),
)
_METRIC = re.compile(
    r"\b(mAP|AP(?:50|75)?|top-?[15]|acc(?:uracy)?|FID|PSNR|SSIM|BLEU|ROUGE|mIoU|IoU|[Dd]ice|F1|WER|perplexity|PPL"
    r"|val loss|box AP|PQ)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+\.\d+|\d+\s?%")
_PAPER = re.compile(r"arxiv\.org/(?:abs|pdf)/(\d{4}\.\d{4,5})")
_WEIGHTS = re.compile(r"https?://[^\s)\"'>\]]+\.(?:pth|pt|ckpt|pkl|safetensors|bin|tar)\b[^\s)\"'>\]]*")
_REQUIREMENT = re.compile(
    r"^\s*-?\s*[\"']?([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=<>!~]=?=?[^;#,\"'\s]+,?\s*)*)"
)
_INSTALLED_AS = {
    "cv2": "opencv-python",
    "PIL": "pillow",
    "yaml": "pyyaml",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "tensorboardX": "tensorboardx",
    "dateutil": "python-dateutil",
    "dotenv": "python-dotenv",
    "attr": "attrs",
    "git": "gitpython",
    "Crypto": "pycryptodome",
    "bs4": "beautifulsoup4",
}
_SAME_AS = {"opencv-python-headless": "opencv-python", "opencv": "opencv-python", "pytorch": "torch"}
_MOST = 12


def reference_facts(
    code: Code,
    values: Values,
    prose: Mapping[str, str],
    licences: Mapping[str, str],
    requirements: Mapping[str, str],
) -> tuple[Fact, ...]:
    """Every answer that the files give, by question. A question without a fact is one that nothing answers."""
    facts = [
        *_licences(licences),
        *_papers_and_claims(prose),
        *_dependencies(code, requirements),
        *_datasets(code, prose),
        *_seeds(code, values),
        *_checkpoints(code, prose),
    ]
    order = {question: index for index, question in enumerate(Question)}
    return tuple(sorted(dict.fromkeys(facts), key=lambda fact: order[fact.question]))


def _licences(texts: Mapping[str, str]) -> Iterator[Fact]:
    for path, text in texts.items():
        name = next((name for name, pattern in _LICENCES if re.search(pattern, text, re.IGNORECASE)), "")
        yield Fact(
            Question.LICENCE, name or "a text that is none of the common licences", SettingLine(path, 1)
        )


def _papers_and_claims(prose: Mapping[str, str]) -> Iterator[Fact]:
    papers: dict[str, SettingLine] = {}
    claims: list[Fact] = []
    for path, text in prose.items():
        header = ""
        for number, line in enumerate(text.splitlines(), 1):
            for paper in _PAPER.findall(line):
                papers.setdefault(paper, SettingLine(path, number))
            if line.count("|") >= 2:
                if _METRIC.search(line) and not header:
                    header = line
                    claims.append(Fact(Question.CLAIM, f"table: {_plain(line)}", SettingLine(path, number)))
                continue
            header = ""
            if (
                _METRIC.search(line)
                and _NUMBER.search(line)
                and "http" not in line
                and not line.startswith(("    ", "```"))
            ):
                claims.append(Fact(Question.CLAIM, _plain(line), SettingLine(path, number)))
    for paper, place in list(papers.items())[:_MOST]:
        yield Fact(Question.PAPER, f"arXiv {paper}", place)
    yield from claims[:_MOST]


def _plain(line: str) -> str:
    """A line of markdown without its signs, cut to a readable length."""
    text = re.sub(r"<[^>]*>|\[([^\]]*)\]\([^)]*\)|[`*#>]", r"\1", line)
    text = re.sub(r"\s*\|\s*", " | ", text).strip(" |-")
    text = " ".join(text.split())
    return text if len(text) <= 160 else f"{text[:157]}..."


def _dependencies(code: Code, texts: Mapping[str, str]) -> Iterator[Fact]:
    named: set[str] = set()
    for path, text in texts.items():
        for name, bounds, line in _requirements(path, text):
            if name in named:
                continue
            named.add(name)
            exact = bounds.startswith("==") and "*" not in bounds
            question = Question.PINNED if exact else Question.BOUNDED if bounds else Question.UNPINNED
            yield Fact(question, f"{name} {bounds}".strip(), SettingLine(path, line))
    own = {part for file in code.all_files for part in file.path.removesuffix(".py").split("/")}
    told: set[str] = set()
    for file in code.files:
        for node in file.nodes:
            for module in _imported(node):
                root = module.split(".")[0]
                name = _INSTALLED_AS.get(root, root.lower()).replace("_", "-")
                if root in sys.stdlib_module_names or root in own or name in told or root.startswith("_"):
                    continue
                told.add(name)
                if name not in named and name.replace("-", "") not in {one.replace("-", "") for one in named}:
                    yield Fact(Question.MISSING, name, file.place(node))


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []


def _requirements(path: str, text: str) -> Iterator[tuple[str, str, int]]:
    """Name, bounds and line of what a file asks to be installed."""
    name = path.rpartition("/")[2]
    if name == "setup.py":
        yield from _of_setup(text)
        return
    is_list = name.startswith("requirements") or "/requirements" in path or path.startswith("requirements/")
    section = "dependencies" if is_list else ""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.split("#")[0].strip() if "git+" not in line else line.strip()
        if not is_list:
            header = re.match(r"\[?([\w.-]*(?:dependencies|requires|packages))\]?\s*[:=]?", stripped)
            if header and not stripped.startswith("-"):
                section = header[1]
                stripped = stripped[header.end() :].strip(" [")
            elif re.match(r"^\[|^[\w-]+\s*[:=]", stripped) and not stripped.startswith("["):
                section = section if name == "Pipfile" else ""
            elif stripped.startswith("["):
                section = ""
        if not section or not stripped or stripped.startswith(("-r", "--", "]")):
            continue
        egg = re.search(r"egg=([\w-]+)", stripped)
        if "git+" in stripped:
            repository = egg[1] if egg else stripped.rstrip("/").rpartition("/")[2].removesuffix(".git")
            yield _canonical(repository), "", number
            continue
        match = _REQUIREMENT.match(stripped)
        if match and match[1] not in ("python", "pip"):
            bounds = match[2].strip().rstrip(",") or _single_equals(stripped)
            yield _canonical(match[1]), bounds, number


def _single_equals(line: str) -> str:
    """conda writes `- torch=2.0`."""
    match = re.search(r"[\w.-]=(\d[\w.]*)", line)
    return f"=={match[1]}" if match else ""


def _of_setup(text: str) -> Iterator[tuple[str, str, int]]:
    try:
        tree = parse_tree(text)
    except SYNTAX_ERRORS:
        return
    for node in every_node(tree):
        if isinstance(node, ast.keyword) and node.arg == "install_requires":
            for item in every_node(node.value):
                if isinstance(item, ast.Constant) and isinstance(item.value, str):
                    match = _REQUIREMENT.match(item.value)
                    if match:
                        yield _canonical(match[1]), match[2].strip().rstrip(","), item.lineno


def _canonical(name: str) -> str:
    plain = re.sub(r"[-_.]+", "-", name).lower()
    return _SAME_AS.get(plain, plain)


def _datasets(code: Code, prose: Mapping[str, str]) -> Iterator[Fact]:
    found: dict[str, Fact] = {}

    def add(name: str, place: SettingLine) -> None:
        found.setdefault(re.sub(r"[ _-]", "", name).lower(), Fact(Question.DATA, name, place))

    for file in code.files:
        for use in file.uses:
            if use.api.startswith("torchvision.datasets.") and use.call is not None:
                add(use.api.rpartition(".")[2], SettingLine(file.path, use.span.line))
        for node in file.nodes:
            if (
                isinstance(node, ast.ClassDef)
                and re.search(r"dataset$", node.name, re.IGNORECASE)
                and not _GENERIC.match(node.name)
                and len(node.name) > 7
            ):
                add(node.name, file.place(node))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
                for name in _DATASETS.findall(node.value):
                    add(name, file.place(node))
    for path, text in prose.items():
        for number, line in enumerate(text.splitlines(), 1):
            for name in _DATASETS.findall(line):
                add(name, SettingLine(path, number))
    yield from list(found.values())[:_MOST]


def _seeds(code: Code, values: Values) -> Iterator[Fact]:
    for name, pattern in _SEEDS:
        place = next(
            (
                file.place(node)
                for file in code.files
                for node in file.nodes
                if isinstance(node, ast.Call) and pattern.search(dotted_text(node.func))
            ),
            None,
        )
        yield Fact(Question.SEED, f"{name} is called" if place else f"{name} is never called", place)
    for setting in values.settings.named("seed"):
        if setting.kind <= SettingKind.FILE:
            seed = values.settled(setting)
            text = "is not set by default" if seed is None else f"is {shown(seed)}"
            yield Fact(Question.SEED, f"the setting seed {text}", setting.place)
    for file in code.files:
        for node in file.nodes:
            if isinstance(node, ast.Assign) and any(
                last_name(target) in ("deterministic", "benchmark") for target in node.targets
            ):
                yield Fact(Question.SEED, written(node), file.place(node))
            if isinstance(node, ast.Call) and last_name(node.func) == "use_deterministic_algorithms":
                yield Fact(Question.SEED, written(node), file.place(node))


def _checkpoints(code: Code, prose: Mapping[str, str]) -> Iterator[Fact]:
    for file in code.files:
        for use in file.uses:
            if (
                use.api in ("torch.save", "torch.load", "torch.hub.load_state_dict_from_url")
                and use.call is not None
            ):
                word = {"save": "written", "load": "read"}.get(use.api.rpartition(".")[2], "downloaded")
                yield Fact(Question.CHECKPOINT, f"{word} by {use.api}", SettingLine(file.path, use.span.line))
    links: dict[str, SettingLine] = {}
    for path, text in prose.items():
        for number, line in enumerate(text.splitlines(), 1):
            for link in _WEIGHTS.findall(line):
                links.setdefault(link, SettingLine(path, number))
    for link, place in list(links.items())[:_MOST]:
        yield Fact(Question.CHECKPOINT, f"published: {link}", place)
