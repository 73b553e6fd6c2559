"""Questions and the forms that they are read into, in words, with the answers; each was checked by
eye. Where there is no form, the refusal says what was not understood."""
