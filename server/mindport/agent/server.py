"""Puts tools, resources and prompts together and speaks the protocol on standard input and output."""

from __future__ import annotations

from pathlib import Path

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from mindport import __version__
from mindport.agent.tools import Tools

_INSTRUCTIONS = """\
mindport takes PyTorch code to MindSpore. Begin with `check`, which says for the project's target what MindSpore lacks
or treats differently and how far each program is expected to come. `port` converts a whole project into a copy;
`preview_fix` and `fix` change single files in place. Read `explain` before you write a replacement by hand: names that
look alike differ silently. A fix that is marked safe was run in both frameworks; look at the others, and never change
what is marked MP101 by its name alone."""
_MIGRATION = """\
Migrate {folder} from PyTorch to MindSpore with the tools of mindport.

1. `check` the folder. Tell me the target, how far each program is expected to come and what stops it, and the errors
   (MP101: silently different, MP102: no equivalent).
2. `port` it into another folder. Go through what is to be reviewed and what is left, worst first. Read `explain` of
   each name before you change a line by hand, and change the port, not the original.
3. {trial}
4. `check` the port: what is left of torch in it, and what does it do out of torch's habits (MP5)?
Say what you changed by hand and why, and what you could not decide."""
_TRY = "`try_port` it. Mend what stops it, by the lines that it names, until a training step runs."
_NO_TRY = (
    "Ask me to run `mindport try` on the port and to give you what it says: this server may not run code."
)
_READ = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_ADD = ToolAnnotations(destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_CHANGE = ToolAnnotations(destructive_hint=True, idempotent_hint=True, open_world_hint=False)
_RUN = ToolAnnotations(destructive_hint=True, open_world_hint=True)


def agent_server(root: Path, allow_run: bool = False, interpreter: str = "") -> MCPServer:
    """The server for the folder `root`. `allow_run`: whether a tool may run the code of a port, by the Python
    `interpreter` or what a trial takes by itself."""
    tools = Tools(root, interpreter)
    server = MCPServer("mindport", version=__version__, instructions=_INSTRUCTIONS, log_level="WARNING")
    for tool in (tools.check, tools.explain, tools.second_order, tools.preview_fix):
        server.tool(annotations=_READ)(tool)
    server.tool(annotations=_CHANGE)(tools.fix)
    server.tool(annotations=_ADD)(tools.port)
    if allow_run:
        server.tool(annotations=_RUN)(tools.try_port)

    @server.resource("mindport://rules/{code}", mime_type="text/markdown")
    async def rule(code: str) -> str:
        """The page of a rule, such as MP101."""
        return str((await tools.explain(code))["page"])

    @server.resource("mindport://names/{name}", mime_type="text/markdown")
    async def name(name: str) -> str:
        """The page of a torch name, such as torch.nn.Conv2d: all cases, examples and evidence."""
        return str((await tools.explain(name))["page"])

    @server.prompt(title="Migrate a project to MindSpore")
    def migrate(folder: str = ".") -> str:
        """From a check to a training step."""
        return _MIGRATION.format(folder=folder, trial=_TRY if allow_run else _NO_TRY)

    return server


def serve(root: Path, allow_run: bool = False, interpreter: str = "") -> None:
    """Speak to one client until its input ends."""
    agent_server(root, allow_run, interpreter).run("stdio")
