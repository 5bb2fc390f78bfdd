"""What a few torch functions give, as their pages say in prose: their code has no annotation to read it from.

Where an argument adds further results (`return_indices`), this is the result without it."""

from __future__ import annotations

_GROUPS = {
    "Tensor": """
        torch.norm torch.functional.norm torch.cdist torch.block_diag torch.tensordot
        torch.atleast_1d torch.atleast_2d torch.atleast_3d torch.chain_matmul torch.cartesian_prod
        torch.unique torch.unique_consecutive
        torch.Tensor.norm torch.Tensor.unique torch.Tensor.unique_consecutive
        torch.Tensor.__reversed__
        torch.Tensor.__itruediv__ torch.Tensor.__ipow__ torch.Tensor.__pos__ torch.Tensor.to_sparse_coo
        torch.Tensor.share_memory_ torch.Tensor.resize_as torch.Tensor.stft
        torch.nn.MaxPool1d.forward torch.nn.MaxPool2d.forward torch.nn.MaxPool3d.forward
        torch.nn.AdaptiveMaxPool1d.forward torch.nn.AdaptiveMaxPool2d.forward
        torch.nn.AdaptiveMaxPool3d.forward
        torch.nn.FractionalMaxPool2d.forward torch.nn.FractionalMaxPool3d.forward
    """,
    "tuple[Tensor, Tensor]": "torch.nn.GRU.forward torch.nn.RNN.forward",
    "tuple[Tensor, tuple[Tensor, Tensor]]": "torch.nn.LSTM.forward",
    "tuple[Tensor, ...]": "torch.broadcast_tensors",
    "Iterator[Tensor]": "torch.Tensor.__iter__",
    "int": "torch.Tensor.__len__ torch.Tensor.__hash__",
    "str": "torch.Tensor.__format__",
    "bool": """
        torch.jit.is_tracing torch.Tensor.is_shared torch.cuda.is_bf16_supported
        torch.distributed.is_available
        torch.backends.mkldnn.is_available
    """,
    "None": """
        torch.Tensor.backward torch._assert torch._check torch.set_printoptions torch.distributed.barrier
        torch.distributed.destroy_process_group torch.testing.assert_close
    """,
    "RemovableHandle": "torch.Tensor.register_hook torch.Tensor.register_post_accumulate_grad_hook",
    "Module": """
        torch.nn.utils.parametrizations.weight_norm torch.nn.utils.parametrizations.spectral_norm
        torch.nn.SyncBatchNorm.convert_sync_batchnorm
    """,
}

# Their docstrings show all the results they can have.
OVERRULES = frozenset(("torch.unique", "torch.unique_consecutive"))

DOCUMENTED_RESULTS = {name: result for result, names in _GROUPS.items() for name in names.split()}
