"""What a long recipe keeps: values by key, under a stamp."""

from osler_papers.recipes.kept import Kept, stamp_of


def test_a_value_is_made_once(tmp_path):
    made = []

    def make():
        made.append(1)
        return {"a": [0.1, 1 / 3]}

    kept = Kept(tmp_path / "k.jsonl", "one")
    first = kept.get("x", dict[str, list[float]], make)
    assert kept.get("x", dict[str, list[float]], make) == first == {"a": [0.1, 1 / 3]}
    assert Kept(tmp_path / "k.jsonl", "one").get("x", dict[str, list[float]], make) == first
    assert len(made) == 1
    assert kept.get("y", int, lambda: 2) == 2
    # Another stamp: other data or other code made the values.
    assert Kept(tmp_path / "k.jsonl", "two").get("x", int, lambda: 3) == 3
    assert Kept(tmp_path / "k.jsonl", "one").get("x", int, lambda: 4) == 4


def test_a_line_that_a_kill_cut_is_made_anew(tmp_path):
    path = tmp_path / "k.jsonl"
    kept = Kept(path, "s")
    kept.get("x", int, lambda: 1)
    kept.get("y", int, lambda: 2)
    path.write_bytes(path.read_bytes()[:-3])
    again = Kept(path, "s")
    assert again.get("x", int, lambda: 7) == 1
    assert again.get("y", int, lambda: 8) == 8
    assert Kept(path, "s").get("y", int, lambda: 9) == 8


def test_a_stamp_changes_with_names_contents_and_words(tmp_path):
    a, b = tmp_path / "a", tmp_path / "b"
    a.write_text("1")
    b.write_text("2")
    stamps = {stamp_of([a, b]), stamp_of([a]), stamp_of([a, b], "w"), stamp_of([a, b], "w", "v")}
    assert len(stamps) == 4
    assert stamp_of([b, a]) == stamp_of([a, b])
    before = stamp_of([a])
    a.write_text("3")
    assert stamp_of([a]) != before
