"""`html`: the findings on one page that needs no network, for a job that keeps its results as files. `mindport report`
has the page of a whole migration."""

from __future__ import annotations

from html import escape

from mindport.report.formats.format import ByFileWriter, Format
from mindport.report.rows import FindingRow, RelatedRow, Summary
from mindport.report.text import Painter, one_line, summary_lines
from mindport.report.visible import visible_name

_STYLE = """\
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere }
ul { list-style: none; margin: 0; padding: 0 }
li { border-left: .25rem solid; padding: .2rem .75rem; margin: .6rem 0 }
.error { border-color: #c62828 } .warning { border-color: #b26a00 }
.information { border-color: #1565c0 } .hint { border-color: #757575 }
code { display: block; overflow-x: auto; white-space: pre; opacity: .8 }
.related { margin-left: 1rem; opacity: .8 }
@media print { li { break-inside: avoid } code { white-space: pre-wrap } }
"""
_FIXES = {"safe": "safe fix", "unsafe": "unsafe fix"}


class HtmlWriter(ByFileWriter):
    """Writes one page at the end."""

    def finish(self, summary: Summary, hidden: int = 0) -> None:
        """Write the page: the summary, then the findings of each file."""
        lines = [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>mindport: findings</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n<h1>Findings</h1>",
        ]
        lines += (f"<p>{_text(line)}</p>" for line in summary_lines(summary, Painter(False), hidden))
        for file, rows in self.files.items():
            lines += (f"<h2>{_text(visible_name(file))} ({len(rows)})</h2>", "<ul>")
            lines += map(_item, rows)
            lines.append("</ul>")
        self.sink("\n".join([*lines, "</body>\n</html>"]) + "\n")


def _item(row: FindingRow) -> str:
    cell = "" if row.cell is None else f"cell {row.cell}:"
    fix = f" [{_FIXES[row.fix]}]" if row.fix in _FIXES else ""
    head = (
        f"<strong>{cell}{row.line}:{row.column}</strong> {row.severity} {row.code}{fix}: {_text(row.message)}"
    )
    source = f"<code>{_text(row.source)}</code>" if row.source else ""
    related = "".join(map(_related, row.related))
    return f'<li class="{row.severity}">{head}{source}{related}</li>'


def _related(place: RelatedRow) -> str:
    where = f"{_text(visible_name(place.file))}:{place.line}:{place.column}"
    return f'<div class="related">{where}: {_text(place.message)}</div>'


def _text(text: str) -> str:
    """A text between tags or quotes, in which nothing is markup and no character turns the order around."""
    return escape(one_line(text))


FORMAT = Format(HtmlWriter)
