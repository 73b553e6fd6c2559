"""The question set of a knowledge base: every topic whose relations it has, at the paper's
numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from osler.records.kb import ClinicalKB
from osler.records.questions import Question, questions, write_questions
from osler.records.statistics import PAPER_TABLE_3, figure_3, table_3, table_4
from osler.records.templates import Template, read_templates

TOPICS = (*PAPER_TABLE_3, "fhir")
LIMIT = 60


def answerable(kb: ClinicalKB, templates: list[Template]) -> list[Template]:
    """Templates all of whose relations and types the knowledge base has."""
    relations, types = set(kb.relations), {*kb.types, "*"}
    return [
        t
        for t in templates
        if all(r in relations for w in t.walks for r, _ in w.steps)
        and all(n.type in types for w in t.walks for n in w.nodes)
    ]


def question_set(
    kb: ClinicalKB,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    scale: float = 1.0,
    progress: Callable[[str], None] | None = None,
) -> list[Question]:
    """Questions of all topics; a topic of the paper gets the paper's number of pairs times
    ``scale``."""
    questions_so_far: list[Question] = []
    for topic in TOPICS:
        usable = answerable(kb, read_templates(topic))
        if not usable:
            continue
        total = round(PAPER_TABLE_3[topic][6] * scale) if topic in PAPER_TABLE_3 else None
        per_template = limit if total is not None else max(1, round(20 * scale))
        drawn = list(questions(kb, usable, limit=per_template, total=total, seed=seed))
        questions_so_far += drawn
        if progress:
            progress(f"{topic}: {len(drawn)} questions from {len(usable)} templates")
    return questions_so_far


def write_set(kb: ClinicalKB, asked: list[Question], out: str | Path) -> dict[str, Path]:
    """questions.jsonl (id and question), gold.jsonl (with answers), statistics.md."""
    import json

    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / name for name in ("questions.jsonl", "gold.jsonl", "statistics.md")}
    with paths["questions.jsonl"].open("w", encoding="utf-8") as stream:
        for question in asked:
            stream.write(
                json.dumps({"id": question.id, "question": question.question}, ensure_ascii=False)
                + "\n"
            )
    write_questions(paths["gold.jsonl"], asked)
    paths["statistics.md"].write_text(
        "\n".join(statistics_lines(kb, asked)) + "\n", encoding="utf-8"
    )
    return paths


def statistics_lines(kb: ClinicalKB, asked: list[Question]) -> list[str]:
    """Table 3 (this library whole, then its topics' questions beside the paper's), 4 and Figure
    3."""
    whole = table_3(kb, asked)
    lines = ["# Statistics", "", "## The knowledge base", ""]
    lines += [f"- {name}: {value:g}" for name, value in whole.items()]
    lines += [
        "",
        "## Questions by topic (the paper's beside)",
        "",
        "| topic | templates | paper | pairs | paper | gold answers min/max/mean |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for topic in dict.fromkeys(q.topic for q in asked):
        some = [q for q in asked if q.topic == topic]
        sizes = [len(q.entities) for q in some]
        paper = PAPER_TABLE_3.get(topic)
        lines.append(
            f"| {topic} | {len({q.template for q in some})} | {paper[5] if paper else '-'} "
            f"| {len(some)} | "
            f"{paper[6] if paper else '-'} | "
            f"{min(sizes)}/{max(sizes)}/{sum(sizes) / len(sizes):.0f} "
            f"|"
        )
    from osler.records.statistics import PAPER_TABLE_4

    lines += ["", "## Question types (Table 4)", "", "| type | % | paper |", "| --- | --- | --- |"]
    lines += [
        f"| {name} | {share:.2f} | {PAPER_TABLE_4.get(name, 0.0):.2f} |"
        for name, share in table_4(asked).items()
    ]
    shown = figure_3(asked)
    lines += ["", "## First two words, and pairs of words (Figure 3)", ""]
    lines += [
        f"- {name}: " + ", ".join(f"{w} ({n})" for w, n in items) for name, items in shown.items()
    ]
    return lines
