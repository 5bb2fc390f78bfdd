import settings

VALUE = 5 * 2
settings.log.append("began")
if settings.fail:
    raise ImportError("on purpose")
settings.log.append("ended")
