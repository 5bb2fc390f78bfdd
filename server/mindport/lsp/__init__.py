"""The language server: the only layer that knows the protocol. It projects the core's findings and edits."""
