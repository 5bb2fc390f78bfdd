from . import registry

VALUE = 1
registry.append(__name__)
