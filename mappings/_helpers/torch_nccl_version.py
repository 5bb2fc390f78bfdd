import ctypes


def torch_nccl_version():
    """The version of the NCCL library that the loader finds, as three numbers."""
    found = ctypes.c_int()
    ctypes.CDLL("libnccl.so.2").ncclGetVersion(ctypes.byref(found))
    # Until 2.8 the library counted in steps of 1000.
    step = 10000 if found.value >= 10000 else 1000
    return found.value // step, found.value % step // 100, found.value % 100
