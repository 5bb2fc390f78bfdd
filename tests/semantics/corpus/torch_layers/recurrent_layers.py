"""LSTM, GRU and RNN with several layers, both directions, projections, and their cells."""

import torch.nn as nn

answer = nn.LSTM(input_size=4, hidden_size=3, num_layers=2, bidirectional=True)
answer_gru = nn.GRU(4, 3, 1, batch_first=True)
answer_rnn = nn.RNN(4, 3, 3, bias=False, nonlinearity="relu")
answer_projected = nn.LSTM(4, 6, proj_size=2)
answer_cells = nn.ModuleList([nn.LSTMCell(4, 3), nn.GRUCell(4, 3, bias=False), nn.RNNCell(2, 2)])
kind = "GRU"
answer_named = getattr(nn, kind)(2, 2, dropout=0.0, num_layers=2)
directions = 2 if answer.bidirectional else 1
answer_head = nn.Linear(answer.hidden_size * directions, 5)
