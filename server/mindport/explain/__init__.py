"""Judgements and rules in words: the cards of hover and of `mindport explain`."""
