"""Files in, findings out: the engine, suppressions, the cache and fix-all."""
