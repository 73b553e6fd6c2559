"""What each verb does over a reader: the interface, the page and the tools all come here."""
