"""What `scripts/build_site.py` builds the site from: the pages of docs/, the catalogue and the rules, laid out for
Sphinx."""
