"""torch_scatter as mindport has its parts, in torch: the package itself is compiled for one version of torch."""

from pathlib import Path

PARTS = Path(__file__).parents[3] / "mappings" / "_libraries" / "torch_scatter.py"
exec(compile(PARTS.read_text(encoding="utf-8"), str(PARTS), "exec"))
