import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osler.errors import FieldError, FormatError, InputError, OslerError
from osler.rank.examples import gather, topics_of
from osler.rank.labels import Label, read_labels
from osler.rank.topic import Topic


def write(tmp_path, text):
    path = tmp_path / "labels.tsv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_read(tmp_path):
    path = write(
        tmp_path,
        "\ufeffdocument\tlabel\ttopic\tsentence\r\n1\t1\tsleep\tMice slept.\r\n\r\n2\t0\n",
    )
    assert read_labels(path) == [
        Label("1", True, "sleep", "Mice slept."),
        Label("2", False),
    ]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", InputError),
        ("document\tlabel\n", InputError),
        ("id\tmark\n1\t1\n", FormatError),
        ("document\tlabel\tcolour\n1\t1\tred\n", FormatError),
        ("document\tlabel\n1\tyes\n", FieldError),
        ("document\tlabel\n\t1\n", FieldError),
        ("document\tlabel\n1\n", FieldError),
        ("document\tlabel\n1\t1\tx\n", FieldError),
        ("document\tlabel\n1\t1\n1\t0\n", FieldError),
        (b"document\tlabel\n\xff\t1\n", FieldError),
    ],
)
def test_bad_files_are_one_line_errors(tmp_path, text, error):
    with pytest.raises(error):
        read_labels(write(tmp_path, text))


def test_errors_name_the_line_and_not_the_text(tmp_path):
    with pytest.raises(FieldError, match=r"line 3") as caught:
        read_labels(write(tmp_path, "document\tlabel\tsentence\n1\t1\n2\tx\tsecret\n"))
    assert "secret" not in str(caught.value)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("labels") / "l.tsv"
    path.write_text("document\tlabel\n" + text, encoding="utf-8", errors="surrogatepass")
    try:
        labels = read_labels(path)
    except OslerError:
        return
    assert all(label.document for label in labels)


def test_gather_one_topic(world):
    pool, _, topics = world
    labels = [
        Label("0-00", True),
        Label("0-00", True, sentence="another row of it"),
        Label("1-00", True, "Fear"),
        Label("2-00", False),
        Label("nowhere", True),
    ]
    found = gather(pool, labels, [topics[0]], draw=10)
    assert found.labelled == 3
    assert found.unknown == ["nowhere"]
    assert found.drawn == 10
    assert found.targets[:3].tolist() == [0, 1, 1]
    assert len(set(found.rows.tolist())) == 13
    assert "not in the library: nowhere" in found.notes[0]
    again = gather(pool, labels, [topics[0]], draw=10)
    assert np.array_equal(found.rows, again.rows)


def test_gather_draws_nothing_where_negatives_are_marked(world):
    pool, _, topics = world
    labels = [Label("0-00", True)] + [Label(f"1-{n:02d}", False) for n in range(12)]
    labels += [Label(f"2-{n:02d}", False) for n in range(12)]
    assert gather(pool, labels, [topics[0]]).drawn == 0


def test_gather_many_topics(world):
    pool, _, topics = world
    labels = [Label("0-00", True, "sleep wakefulness"), Label("1-00", True, "Fear")]
    labels += [Label("1-00", True, "Loss"), Label("3-00", False, "Loss")]
    found = gather(pool, labels, topics)
    assert sorted(zip(found.rows.tolist(), found.targets.tolist(), strict=True)) == [
        (0, 0),
        (12, 1),
        (12, 2),
        (36, 3),
    ]
    assert [topic.id for topic in topics_of(labels)] == ["Fear", "Loss", "sleep wakefulness"]


def test_only_unknown_ids_is_an_error(world):
    pool, _, topics = world
    with pytest.raises(InputError, match="none of the 2"):
        gather(pool, [Label("x", True), Label("y", False)], [topics[0]])


def test_contradiction_is_an_error(world):
    pool, _, topics = world
    with pytest.raises(FieldError, match="0-00"):
        gather(pool, [Label("0-00", True), Label("0-00", False)], [topics[0]])


def test_topic_words():
    assert Topic("Acute_Threat_Fear").words == "Acute Threat Fear"
    assert Topic("x", "Sleep", "and more").text == "Sleep. and more"


def test_what_a_person_marked_is_never_drawn_as_background(world):
    """More are asked for than there are: all others are drawn, and none that is marked."""
    pool, _, topics = world
    marked = {"0-00": True, "0-01": True, "3-05": False}
    labels = [Label(id, relevant) for id, relevant in marked.items()]
    found = gather(pool, labels, [topics[0]], draw=1_000)
    drawn = [pool.ids[row] for row in found.rows[found.labelled :]]
    assert not set(drawn) & set(marked)
    assert len(drawn) == found.drawn == len(pool) - len(marked)
    by_id = dict(zip([pool.ids[row] for row in found.rows], found.targets, strict=True))
    assert {id for id, target in by_id.items() if target == 0} == {"0-00", "0-01"}
