import torch.nn as nn


class LSTMTagger(nn.Module):
    def __init__(self, vocab_size, num_tags, embedding_dim=16, hidden_dim=16, padding_idx=0):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.word_embeddings = nn.Embedding(vocab_size, embedding_dim, padding_idx=padding_idx)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim // 2, num_layers=1, batch_first=True, bidirectional=True)
        self.hidden2tag = nn.Linear(hidden_dim, num_tags)
        self.init_weights()

    def init_weights(self):
        for name, param in self.named_parameters():
            if "lstm" in name:
                nn.init.uniform_(param, -0.1, 0.1)
        nn.init.xavier_uniform_(self.hidden2tag.weight)

    def forward(self, sentence):
        embeds = self.word_embeddings(sentence)
        lstm_out, _ = self.lstm(embeds)
        return self.hidden2tag(lstm_out)
