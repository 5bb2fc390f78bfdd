import mindspore


class TorchUpdateBlock(mindspore.nn.Cell):
    """torchvision's UpdateBlock of RAFT: one step towards the motion."""

    def __init__(self, *, motion_encoder, recurrent_block, flow_head):
        super().__init__()
        self.motion_encoder = motion_encoder
        self.recurrent_block = recurrent_block
        self.flow_head = flow_head
        self.hidden_state_size = recurrent_block.hidden_size
        self.set_train()

    def construct(self, hidden_state, context, corr_features, flow):
        x = mindspore.ops.cat((context, self.motion_encoder(flow, corr_features)), 1)
        hidden_state = self.recurrent_block(hidden_state, x)
        return hidden_state, self.flow_head(hidden_state)
