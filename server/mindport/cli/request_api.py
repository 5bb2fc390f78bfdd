"""`mindport request-api`: an issue for MindSpore's community about a name that has no equivalent."""

from __future__ import annotations

import ast
import platform
from typing import Any

import click

from mindport.checking.project_evidence import project_index
from mindport.cli.explain import full_name
from mindport.cli.main import EXIT_FAILED
from mindport.cli.options import settings_of, target_options
from mindport.cli.output import warn, write
from mindport.config.load import load_settings
from mindport.config.target import resolve_target
from mindport.explain.request import ISSUES, is_missing, request
from mindport.registry.torch import torch_facts
from mindport.rewrite.custom_operator.call import Unsuitable, operator_call


@click.command()
@click.argument("call", metavar="NAME|CALL")
@click.option("--link", "only_link", is_flag=True, help="Write only the link that opens the issue filled in.")
@target_options
def request_api(call: str, only_link: bool, config_file: str | None, **options: Any) -> int:
    """Write an issue that asks for an equivalent of NAME, or of what CALL calls: 'torch.linalg.ldl_factor(A)'.

    Title and text are made from what is known of the name; nothing is sent anywhere."""
    loaded = load_settings(".", settings_of(options), config_file=config_file)
    target, _ = resolve_target(loaded.settings, loaded.root)
    text, api = _read(call)
    name = torch_facts().canonical(api) or api
    index = project_index(loaded.settings, loaded.root)
    found = request(name, target, text or _plain_call(name), index, platform.platform())
    if found is None:
        warn(f"error: {api} is no public name of torch")
        return EXIT_FAILED
    if not is_missing(name, target, index):
        warn(f"error: {target} has an equivalent of {name}: mindport explain {name}")
        return EXIT_FAILED
    write(f"{found.link}\n" if only_link else f"# {found.title}\n\n{found.body}")
    if not only_link:
        warn(f"Post it at {ISSUES}, or open {found.link}")
    return 0


def _read(text: str) -> tuple[str, str]:
    """The call, if it is one, and the name of torch in it."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "", text
    if not isinstance(node, ast.Call):
        return "", full_name(text.strip())
    return text.strip(), full_name(ast.unparse(node.func))


def _plain_call(name: str) -> str:
    """A call that passes nothing but tensors, where there is one."""
    try:
        return operator_call(name, None).original
    except Unsuitable:
        return ""
