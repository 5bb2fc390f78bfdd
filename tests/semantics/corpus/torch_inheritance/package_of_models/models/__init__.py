from .registry import build_model, list_models
from . import conv, mlp
