"""Text: sentences, tokens, languages, encoders and word vectors."""
