"""The reviewer's desk: the next paper to read, how much has been found, whether to stop."""
