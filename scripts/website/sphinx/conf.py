"""How Sphinx makes the site. `scripts/build_site.py` says the language and the version."""

from __future__ import annotations

import os

project = "mindport"
author = "the authors of mindport"
project_copyright = author
version = release = os.environ.get("SITE_VERSION", "")
language = os.environ.get("SITE_LANGUAGE", "en").replace("zh-cn", "zh_CN")

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["static", "templates"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
# Texts of code stand in sentences, too: 'pad' is what is written, and -- an option.
smartquotes = False
# Programs' output has no language; colouring it would only warn.
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure", "myst.header"]

html_theme = "furo"
html_title = f"mindport {version}".strip()
templates_path = ["templates"]
html_static_path = ["static"]
html_context = {
    "in_both": ["index", "search", *os.environ.get("SITE_IN_BOTH", "").split(",")],
    "is_chinese": language == "zh_CN",  # templates get the language in another spelling with each Sphinx
}
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
html_domain_indices = False
html_permalinks_icon = "#"
html_theme_options = {"top_of_page_buttons": []}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/languages.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
pygments_style = "default"
pygments_dark_style = "github-dark"
html_search_language = "en" if language == "en" else "zh"
