"""MultiheadAttention, and a TransformerEncoder that copies its layer, so the layer itself is not in it."""

import torch.nn as nn

layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dim_feedforward=16, batch_first=True)
answer = nn.TransformerEncoder(layer, num_layers=3)
answer_layer = layer
answer_attention = nn.MultiheadAttention(8, 4)
answer_attention_options = nn.MultiheadAttention(embed_dim=8, num_heads=2, bias=False, kdim=4, vdim=6)
answer_with_norm = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(8))
answer_decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), num_layers=2)
answer_both = nn.ModuleList([answer, layer, answer.layers[0]])
