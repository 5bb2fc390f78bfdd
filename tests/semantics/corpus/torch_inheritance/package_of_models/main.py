"""Models in a package with a registry that submodules fill on import, built by name with options."""

from models import build_model, list_models

answer = build_model("mlp", width=4)
answer_conv = build_model({"name": "conv", "channels": [3, 4, 5]})
answer_names = list_models()
try:
    build_model("other")
except KeyError as error:
    answer_error = error.args[0]
