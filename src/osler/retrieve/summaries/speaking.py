"""What a document's vector stands for (seed 002, section 3.2): title and abstract, or title and
summary where the abstract is invalid and there is a full text.

A summariser that was trained into the library chooses the summary's sentences, if its card shows it
better than the untrained method; where its extra is not installed the untrained one does.
"""

from __future__ import annotations

import logging
from functools import cached_property

from osler.errors import NeedsError
from osler.kinds import Document
from osler.retrieve.summaries.bertsum import BertSum
from osler.retrieve.summaries.sentences import needs_summary
from osler.retrieve.summaries.summarise import better_than_lexrank, represent
from osler.retrieve.summaries.summariser import Summariser
from osler.store.embedding import embedded_text
from osler.store.models import Models

MODEL = "summarise"
"""The name under which a library keeps the summariser that was trained on it."""

log = logging.getLogger(__name__)


class Speaker:
    """Gives the text that stands for a document in one library."""

    def __init__(self, models: Models) -> None:
        self.models = models

    @cached_property
    def trained(self) -> Summariser | None:
        """The library's own summariser, where it is worth using and can be loaded."""
        if not self.models.choose(MODEL) or not better_than_lexrank(self.models.place(MODEL)):
            return None
        try:
            return BertSum(folder=self.models.place(MODEL))
        except NeedsError as error:
            log.warning("papers are summarised without the trained model: %s", error)
            return None

    def __call__(self, document: Document) -> str:
        if not needs_summary(document):
            return embedded_text(document)
        if self.trained is None:
            return represent(document)
        return represent(document, method=self.trained)

    def ever(self, document: Document) -> tuple[str, ...]:
        """All texts that may have stood for a document, before a summariser was trained and
        since: what is removed is to leave no vector of any of them."""
        now = self(document)
        return tuple(dict.fromkeys((now, represent(document) if needs_summary(document) else now)))
