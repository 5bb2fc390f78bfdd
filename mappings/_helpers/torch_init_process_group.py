import os

import mindspore


def torch_init_process_group(
    backend=None, init_method=None, timeout=None, world_size=-1, rank=-1, store=None, group_name="", **unused
):
    """PyTorch's distributed.init_process_group. Processes that `msrun` started come together; one alone needs nothing:
    it is number 0 of 1, and its environment says that it asked."""
    if int(os.environ.get("MS_WORKER_NUM", 1)) > 1:
        mindspore.communication.init()
        return
    wanted = world_size if world_size > 0 else int(os.environ.get("WORLD_SIZE", 1))
    if wanted > 1:
        raise RuntimeError(
            f"start {wanted} processes with `msrun --worker_num={wanted} --local_worker_num={wanted}`"
        )
    os.environ["GROUP_OF_ONE"] = "asked for"
