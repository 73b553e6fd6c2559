"""A library: the one object that a person works with.

from osler import Library
library = Library.create("papers")
library.add(["pubmed21n1298.xml.gz"])
for hit in library.search("statins and muscle pain"):
    print(hit.id, hit.title, hit.evidence.text)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from osler.kinds import Filter
from osler.tending import Tended

if TYPE_CHECKING:
    from osler.ask.answer import Answer
    from osler.ask.form.form import Form
    from osler.brief import Brief
    from osler.grade.grader import Grader
    from osler.grade.job import GradedFact
    from osler.kinds import Ranking, Run
    from osler.match.matcher import Candidate, Matcher
    from osler.rank.labels import Label
    from osler.rank.topic import Topic
    from osler.records.kb import ClinicalKB
    from osler.search.ranker import SearchRanker
    from osler.search.searcher import Searcher
    from osler.store.decisions import SavedSearch
    from osler.verbs.duplicates import Duplicates
    from osler.verbs.facets import Facets
    from osler.verbs.patients import Patients
    from osler.verbs.projects import Projects
    from osler.verbs.query import Translated
    from osler.verbs.rank import TopicRanking
    from osler.verbs.review import Alert
    from osler.verbs.simulate import Simulated
    from osler.verbs.suggest import Suggestions


class Library(Tended):
    """A folder on disk that holds documents, knowledge, records and what people decided."""

    # -- the verbs -----------------------------------------------------------------------------

    @property
    def searcher(self) -> Searcher:
        """For programs that rank themselves: parses, makes requests, holds hits to the truth."""
        from osler.search.searcher import Searcher

        return Searcher(self.truth, self.view)

    def default_method(self) -> str:
        """The best method of search that the library is ready for."""
        from osler.verbs.search import default_method

        return default_method(self)

    def search(
        self,
        text: str,
        *,
        k: int = 10,
        method: str | SearchRanker | None = None,
        filter: Filter | None = None,
        evidence: bool = True,
        plain: bool = False,
        skip: int = 0,
        without_model: bool = False,
        sort: str = "relevance",
        syntax: str = "",
        abstract: bool = False,
        verdict: bool = True,
        accept_spelling: bool = False,
        project: str = "",
        without_marks: bool = False,
    ) -> Ranking:
        """The best k documents for a question, each with its evidence and its reasons.

        ``plain`` takes the text as words even where it looks like the query language; ``skip``
        leaves out the first ones: a later page; ``without_model`` sets weights aside that were
        learned on this library; ``sort`` is relevance, date, journal or citations; ``syntax`` names
        the query's language (pubmed, ovid, embase, osler) where its marks do not tell. ``verdict``
        judges whether the list answers (``ranking.verdict``); ``accept_spelling`` searches for
        ``ranking.suggestion`` at once. ``project`` orders by that project's marks too,
        ``without_marks`` by nobody's.
        """
        from osler.verbs.search import SearchRequest, search

        request = SearchRequest(
            text=text,
            k=k,
            skip=skip,
            method=method,
            filter=filter or Filter(),
            evidence=evidence,
            plain=plain,
            without_model=without_model,
            sort=sort,
            syntax=syntax,
            abstract=abstract,
            verdict=verdict,
            accept_spelling=accept_spelling,
            project=project,
            without_marks=without_marks,
        )
        return search(self, request)

    def export(self, text: str, format: str = "ris", **options: Any) -> Iterator[str]:
        """All hits of a search, piece by piece, as ris, nbib, bib, csv, jsonl, json or trec.
        Options are those of ``search``; ``k`` and ``skip`` play no part."""
        from osler.verbs.export import export
        from osler.verbs.search import SearchRequest

        options["filter"] = options.get("filter") or Filter()
        return export(self, SearchRequest(text=text, **options), format)

    def facets(self, text: str, **options: Any) -> Facets:
        """How all hits of a search spread over years, kinds, designs, journals, headings and
        languages. Options are those of ``search``."""
        from osler.verbs.facets import facets
        from osler.verbs.search import SearchRequest

        options["filter"] = options.get("filter") or Filter()
        return facets(self, SearchRequest(text=text, **options))

    def duplicates(self) -> Duplicates:
        """Records that are probably the same paper, in groups; nothing is merged."""
        from osler.verbs.duplicates import DuplicatesRequest, duplicates

        return duplicates(self, DuplicatesRequest())

    def set_apart(self, one: str, other: str, *, apart: bool = True) -> None:
        """Say that two records are two papers, whatever they look like; or take that back."""
        from osler.verbs.duplicates import set_apart

        with self._writing():
            set_apart(self, one, other, apart=apart)

    def search_many(
        self,
        queries: Mapping[str, str],
        *,
        k: int = 1_000,
        method: str | SearchRanker | None = None,
        filter: Filter | None = None,
        plain: bool = True,
        progress: Callable[[int, int], None] | None = None,
        without_model: bool = False,
    ) -> Run:
        """A run over many queries, as a TREC run file holds it. Texts are taken as plain words."""
        from osler.verbs.search import SearchRequest, search_many

        request = SearchRequest(
            text="each of them",
            k=k,
            method=method,
            filter=filter or Filter(),
            plain=plain,
            without_model=without_model,
        )
        return search_many(self, queries, request, progress=progress)

    def count(self, text: str, *, filter: Filter | None = None) -> int:
        """How many documents a query matches."""
        return self.searcher.count(text, filter or None)

    @staticmethod
    def translate(text: str, to: str, *, language: str = "") -> Translated:
        """A query of any language that is read (PubMed's, Ovid's, Embase's, the library's own) in
        another: its ``text``, and ``notes`` where the other means a little more or less."""
        from osler.verbs.query import QueryRequest, query

        return query(QueryRequest(text=text, to=to, language=language))

    def rank(
        self,
        topic: str | Topic,
        examples: Sequence[Label] | None = None,
        *,
        k: int = 20,
        **options: Any,
    ) -> TopicRanking:
        """Papers by relevance to a topic, learned from a few marked ones (those given, or the marks
        that the library keeps), each with its best sentence. Further options are those of
        ``osler.verbs.rank.RankRequest``."""
        from osler.verbs.rank import RankRequest, rank

        if not isinstance(topic, str):
            options.setdefault("description", topic.description)
            topic = topic.words
        given = tuple(examples) if examples is not None else None
        return rank(self, RankRequest(topic=topic, examples=given, k=k, **options))

    def records(self) -> ClinicalKB:
        """The clinical knowledge base of the library's patient records."""
        from osler.verbs.ask import records_of

        return records_of(self)

    def ask(
        self,
        question: str = "",
        *,
        form: Form | dict[str, object] | None = None,
        before: Form | dict[str, object] | None = None,
        explain: bool = False,
        method: str | None = None,
        without_model: bool = False,
    ) -> Answer:
        """Entities of the patients' records that answer a question, with path and source; an
        answer without entities is a refusal. ``form`` is a logical form in place of words,
        ``before`` that of the question which this one leans on; ``answer.form`` does for both.
        ``without_model`` sets a model aside that was trained in this library."""
        from osler.ask.form.form import form_from
        from osler.verbs.ask import AskRequest, ask

        request = AskRequest(
            question=question,
            form=form_from(form) if isinstance(form, dict) else form,
            before=form_from(before) if isinstance(before, dict) else before,
            explain=explain,
            method=method,
            without_model=without_model,
        )
        return ask(self, request)

    def match(
        self,
        question: str,
        answers: Sequence[Candidate | str] | None = None,
        *,
        k: int = 10,
        method: str | Matcher | None = None,
        explain: bool = True,
        without_model: bool = False,
    ) -> Ranking:
        """Answers to a health question in order, each explained by weighted paths in the graph;
        without ``answers`` the library's own question-answer pairs are the candidates."""
        from osler.verbs.match import MatchRequest, candidates_of, match

        request = MatchRequest(
            question=question,
            answers=candidates_of(answers),
            k=k,
            method=method,
            explain=explain,
            without_model=without_model,
        )
        return match(self, request)

    def grade(
        self,
        head: str = "",
        relation: str = "",
        tail: str = "",
        *,
        claim: str = "",
        k: int = 50,
        candidates: int = 1000,
        method: str | Grader | None = None,
        explain: bool = True,
        without_model: bool = False,
    ) -> Ranking:
        """Papers graded H, F, M or I for a fact, with the words that carried the grade; or, for a
        ``claim`` in words, the side that each takes (``reason.supports``, ``reason.refutes``), and
        their balance."""
        from osler.verbs.grade import GradeRequest, grade

        if claim:
            from osler.verbs.stance import ClaimRequest, stance

            return stance(self, ClaimRequest(claim=claim, k=k, without_model=without_model))

        request = GradeRequest(
            head=head,
            relation=relation,
            tail=tail,
            k=k,
            candidates=candidates,
            method=method,
            explain=explain,
            without_model=without_model,
        )
        return grade(self, request)

    def brief(self, question: str, *, k: int = 50, without_model: bool = False) -> Brief:
        """One page of evidence for a question or a claim: papers by the side that they take, and
        the sentences that say so, word for word. ``osler.brief.files.written`` makes files."""
        from osler.verbs.brief import BriefRequest, brief

        return brief(self, BriefRequest(question=question, k=k, without_model=without_model))

    def suggest(self, head: str, relation: str, *, k: int = 10) -> Suggestions:
        """Facts of a head that the graph does not hold and that look like those it holds, best
        first, with reasons. A suggestion is no fact."""
        from osler.verbs.suggest import SuggestRequest, suggest

        return suggest(self, SuggestRequest(head=head, relation=relation, k=k))

    def facts(
        self, id: str, *, k: int = 20, method: str | Grader | None = None
    ) -> list[GradedFact]:
        """The facts of the graph that a paper speaks of, graded."""
        from osler.verbs.grade import FactsRequest, facts

        return facts(self, FactsRequest(paper=id, k=k, method=method))

    # -- decisions -----------------------------------------------------------------------------

    def judge(
        self,
        judgements: Mapping[str, Mapping[str, int | None]],
        queries: Mapping[str, str] | None = None,
    ) -> None:
        """Keep judgements of relevance (qrels) and the queries that they are about; a grade of
        None takes a judgement back."""
        with self._writing():
            self.decisions.judge(queries or {}, judgements)

    def save_search(
        self, name: str, text: str, *, filter: Filter | None = None, syntax: str = ""
    ) -> SavedSearch:
        """Run a query for a review and keep what it found, with what earlier ones had found. A name
        that is taken is refused."""
        from osler.verbs.review import run_search

        self.decisions.free(name)
        search = run_search(self, name, text, filter=filter, syntax=syntax)
        with self._writing():
            self.decisions.save(search)
        return search

    def remove_search(self, name: str) -> SavedSearch:
        """Take a saved search out of the library; ``restore_search`` of what is handed back brings
        it in again as it was."""
        with self._writing():
            return self.decisions.drop(name)

    def restore_search(self, search: SavedSearch) -> None:
        """Bring back a saved search that was removed: its date, its query and what it had found."""
        with self._writing():
            self.decisions.save(search)

    def alerts(self, name: str = "") -> list[Alert]:
        """Every saved search (or the one named) run again: what it finds that it did not find when
        it was saved."""
        from osler.verbs.review import alerts

        return alerts(self, name)

    @property
    def projects(self) -> Projects:
        """Reviews that are kept here: ``new``, ``search``, ``decide``, ``undo``, ``get``."""
        from osler.verbs.projects import Projects

        return Projects(self)

    def simulate(self, labels: Sequence[Label], *, seeds: int = 5) -> Simulated:
        """A finished review of papers in this library, screened again: what ranking would have
        saved, and what a reviewer would have been told at every paper."""
        from osler.verbs.simulate import SimulateRequest, review_of, simulate_review

        return simulate_review(review_of(self, labels), SimulateRequest(seeds=seeds))

    def prisma(self) -> dict[str, Any]:
        """The numbers of a PRISMA flow diagram over all saved searches and judgements."""
        from osler.verbs.review import prisma

        return prisma(self.decisions)

    def join(self, system: str, *, undo: bool = False) -> Patients:
        """Take patients of different sources who carry the same identifier in a system for one
        person, from now on; or take that back. Who was joined is told."""
        from osler.verbs.patients import JoinRequest, join

        return join(self, JoinRequest(system=system, undo=undo))

    def status(self) -> dict[str, Any]:
        """What is in the library, as plain values."""
        import msgspec

        from osler.verbs.status import status

        plain: dict[str, Any] = msgspec.to_builtins(status(self))
        return plain
