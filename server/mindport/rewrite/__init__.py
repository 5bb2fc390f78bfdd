"""Turns judgements into new text: pieces and holes, imports, edits."""
