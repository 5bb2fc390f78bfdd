"""What the programs of a project run: which code an entry point reaches, at which stage, and whether it surely does."""
