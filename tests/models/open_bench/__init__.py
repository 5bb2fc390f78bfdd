"""The open bench: model files of public packages, converted by `mindport fix` and run against their originals."""
