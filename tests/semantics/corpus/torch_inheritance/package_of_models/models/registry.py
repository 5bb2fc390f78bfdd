_models = {}


def register(cls):
    _models[cls.__name__.lower()] = cls
    return cls


def build_model(config, **options):
    if isinstance(config, dict):
        options = {**config, **options}
        config = options.pop("name")
    return _models[config](**options)


def list_models():
    return sorted(_models)
