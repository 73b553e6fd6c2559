"""Pictures: what is read, what is refused, which are noise."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from osler.errors import FieldError, InputError, LimitError, MissingExtra
from osler.knowledge.images import Images, aggregate, image_features, noise_scores, weigh_images
from osler.knowledge.images.noise import judge
from osler.knowledge.images.page import page
from osler.knowledge.images.picture import open_picture

Image = pytest.importorskip("PIL.Image")


def drawn(path: Path, colour=(200, 30, 30), size=(20, 20)) -> Path:
    Image.new("RGB", size, colour).save(path)
    return path


def bomb(path: Path, width: int, height: int) -> Path:
    """A PNG whose header promises far more pixels than the file can hold."""

    def chunk(name: bytes, data: bytes) -> bytes:
        summed = zlib.crc32(name + data)
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", summed)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 10_000)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )
    return path


@pytest.fixture
def folder(tmp_path):
    """Pictures of three entities, and files that are none."""
    drawn(tmp_path / "a1.png")
    drawn(tmp_path / "a2.png", (205, 40, 30))
    drawn(tmp_path / "a3.png", (10, 10, 250))
    drawn(tmp_path / "b.jpg", (0, 200, 0))
    Image.new("RGB", (20_000, 4)).save(tmp_path / "wide.png")
    bomb(tmp_path / "bomb.png", 9_999, 9_999)
    (tmp_path / "text.png").write_text("this is no picture")
    (tmp_path / "empty.png").write_bytes(b"")
    half = (tmp_path / "a1.png").read_bytes()
    (tmp_path / "cut.png").write_bytes(half[: len(half) // 2])
    (tmp_path / "vector.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    return tmp_path


def table(folder: Path, *rows: str, header: str = "entity,file") -> Path:
    path = folder / "table.csv"
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return path


def test_a_table_and_a_folder_give_images(folder):
    found = Images.read(table(folder, "发热,a1.png", "发热,a2.png", "cough,b.jpg", "发热,a1.png"))
    assert len(found) == 2
    assert [path.name for path in found.of("发热")] == ["a1.png", "a2.png"]
    assert found.of("nobody") == ()
    assert found.count == 3
    assert not found.rejects


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("wide.png", "20,000 by 4 pixels"),
        ("bomb.png", "no picture|too many pixels"),
        ("text.png", "no picture"),
        ("empty.png", "no picture"),
        ("cut.png", "no picture"),
        ("vector.svg", "no picture"),
        ("absent.png", "not there"),
        ("../../etc/passwd", "leaves the folder"),
        ("/etc/passwd", "leaves the folder"),
        ("C:\\\\windows\\\\x.png", "leaves the folder"),
        ("", "empty file name"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_reject_and_the_rest_goes_on(folder, file, reason):
    found = Images.read(table(folder, f"fever,{file}", "cough,b.jpg"))
    assert list(found) == ["cough"]
    (reject,) = found.rejects
    assert reject.place == "line 2"
    assert pytest.importorskip("re").search(reason, reject.reason), reject.reason
    assert reject.id == "fever"


def test_a_link_out_of_the_folder_is_refused(folder, tmp_path_factory):
    outside = drawn(tmp_path_factory.mktemp("other") / "secret.png")
    (folder / "link.png").symlink_to(outside)
    found = Images.read(table(folder, "fever,link.png"))
    assert "leaves the folder" in found.rejects[0].reason


def test_bombs_are_refused_before_they_unpack(folder):
    with pytest.raises((InputError, LimitError)):
        open_picture(bomb(folder / "huge.png", 60_000, 60_000))


def test_the_limits_can_be_set(folder, monkeypatch):
    monkeypatch.setenv("OSLER_MAX_IMAGE_SIDE", "10")
    with pytest.raises(LimitError, match="OSLER_MAX_IMAGE_SIDE"):
        open_picture(folder / "a1.png")
    monkeypatch.setenv("OSLER_MAX_IMAGE_SIDE", "100")
    monkeypatch.setenv("OSLER_MAX_IMAGE_BYTES", "20")
    with pytest.raises(LimitError, match="bytes"):
        open_picture(folder / "a1.png")


@given(
    st.binary(max_size=400),
    st.sampled_from([b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a"]),
)
@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_the_bytes_the_error_is_one_of_ours(tmp_path, data, start):
    path = tmp_path / "noise.png"
    path.write_bytes(start + data)
    try:
        open_picture(path)
    except InputError as error:
        assert "noise.png" in error.message


def test_transparency_stands_on_white_and_deep_grey_keeps_its_shades(tmp_path):
    Image.new("RGBA", (4, 4), (255, 0, 0, 0)).save(tmp_path / "clear.png")
    assert open_picture(tmp_path / "clear.png").getpixel((0, 0)) == (255, 255, 255)
    deep = np.full((4, 4), 128 * 256, np.uint16)
    Image.fromarray(deep).save(tmp_path / "deep.png")
    assert open_picture(tmp_path / "deep.png").getpixel((0, 0)) == (128, 128, 128)


def test_names_are_looked_up_and_unknown_ones_are_rejects(folder):
    ids = {"fever": ["S:1", "D:1"]}
    found = Images.read(
        table(folder, "fever,a1.png", "plague,b.jpg"), lookup=lambda name: ids.get(name, [])
    )
    assert list(found) == ["D:1", "S:1"]
    assert found.rejects[0].reason == "no entity of that name is in the graph"


def test_a_type_or_an_id_makes_the_id(folder):
    typed = Images.read(table(folder, "fever,symptom,a1.png", header="entity,type,file"))
    assert list(typed) == ["symptom:fever"]
    direct = Images.read(table(folder, "HP:1,a1.png", header="id,file"))
    assert list(direct) == ["HP:1"]


def test_a_table_without_its_columns_names_them(folder):
    with pytest.raises(FieldError, match="file"):
        Images.read(table(folder, "fever,a1.png", header="entity,picture"))
    with pytest.raises(FieldError, match="entity"):
        Images.read(table(folder, "fever,a1.png", header="symptom,file"))
    with pytest.raises(InputError, match="0 tables"):
        Images.read(Path(folder / "sub").mkdir() or folder / "sub")


# Noise ------------------------------------------------------------------------------------------


def test_noise_is_the_summed_distance_to_the_others():
    rows = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]])
    expected = [5 + 1, 5 + np.hypot(3, 3), 1 + np.hypot(3, 3)]
    assert noise_scores(rows) == pytest.approx(expected)
    assert noise_scores(rows[:1]) == pytest.approx([0.0])


def test_the_odd_one_out_is_filtered():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(8, 16))
    rows[5] += 20
    noise = judge(rows)
    assert [at for at, kept in enumerate(noise.kept) if not kept] == [5]
    assert noise.weights[5] == 0
    assert sum(noise.weights) == pytest.approx(1)


def test_the_printed_weights_are_those_of_equation_1():
    rows = np.array([[0.0], [0.1], [0.5]])
    scores = noise_scores(rows)
    noise = judge(rows, threshold=10, scaled=False)
    assert noise.weights == pytest.approx(np.exp(-scores) / np.exp(-scores).sum())
    assert aggregate(rows, noise) == pytest.approx(np.asarray(noise.weights) @ rows)


def test_weights_do_not_underflow():
    """Scores in the thousands: exp(-N) is zero for every one of them."""
    rows = np.random.default_rng(0).normal(size=(20, 2048)) * 50
    for scaled in (True, False):
        noise = judge(rows, threshold=1e9, scaled=scaled)
        assert sum(noise.weights) == pytest.approx(1)
        assert np.isfinite(aggregate(rows, noise)).all()


def test_an_absolute_threshold_never_takes_the_last_picture():
    rows = np.array([[0.0], [5.0], [9.0]])
    noise = judge(rows, threshold=0.1)
    assert noise.kept == (False, True, False)
    assert noise.weights == (0.0, 1.0, 0.0)


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_pictures_say_nothing_about_noise(count):
    assert all(judge(np.random.default_rng(0).normal(size=(count, 4))).kept)


# Encoders and the page --------------------------------------------------------------------------


def test_the_plain_encoder_sees_colours(folder):
    found = Images.read(table(folder, "a,a1.png", "b,a2.png", "c,a3.png", "d,b.jpg"))
    made = image_features(found, "plain")
    near = np.linalg.norm(made["a"] - made["b"])
    assert near < np.linalg.norm(made["a"] - made["c"])
    assert near < np.linalg.norm(made["a"] - made["d"])


def test_a_page_shows_every_picture_and_marks_noise(folder):
    rows = [f"<b>x</b>,a{n}.png" for n in (1, 2, 3)]
    for n in (4, 5):
        drawn(folder / f"a{n}.png", (200, 30, 35))
        rows.append(f"<b>x</b>,a{n}.png")
    found = weigh_images(Images.read(table(folder, *rows)), "plain")
    shown = page(found, {})
    assert shown.count("<img") == 5
    assert shown.count('class="noise"') == 1
    assert "<b>x</b>" not in shown
    assert "http" not in shown.replace("http-equiv", "")


def test_without_pillow_the_extra_is_named(folder, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtra, match=r"osler\[images\]"):
        Images.read(table(folder, "fever,a1.png"))
