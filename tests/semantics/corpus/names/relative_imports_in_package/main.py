"""Relative imports go up by dots; a name in a package hides a submodule of that name or is hidden by it."""

from app.nets.deep.block import Block, where

import app

answer = (Block.size, where, app.nets.deep.block.SIZE, app.config.SIZE)
answer_package = app.nets.block
