"""The language server: the only layer that knows the protocol. It projects the core's findings and edits."""

from mindport.lsp.attrs_bytecode import kept_bytecode

with kept_bytecode("lsprotocol.types"):
    import lsprotocol.types  # noqa: F401  loaded here, before any module of this package asks for it
