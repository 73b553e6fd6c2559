"""A graph of our own making whose pictures decide some relations and say nothing of the others.

Findings have pictures: a shape in a colour on a pale ground, each drawn a little differently, now
and then one that belongs to no finding at all (noise). ``has colour`` and ``has shape`` follow from
a finding's pictures alone: their triples are one a finding, so that a held-out one has no other
triple to be guessed from. ``found in`` and ``seen with`` are drawn at random: structure without
pictures. Colours and shapes have a picture of their own; places have none.

``strength`` is the share of findings whose pictures show their own colour and shape; the others'
show some colour and some shape, drawn at random.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from osler.kinds import Triple
from osler.knowledge.images import Images
from osler.knowledge.images.picture import pillow

COLOURS = {
    "red": (200, 40, 40),
    "green": (40, 160, 60),
    "blue": (50, 70, 200),
    "yellow": (220, 190, 40),
    "purple": (140, 50, 160),
    "black": (30, 30, 30),
}
SHAPES = ("disc", "square", "triangle", "ring", "cross")
PICTURED = ("has colour", "has shape")
SIZE = 48
NOISY = 0.1


def pictured_graph(
    folder: Path,
    *,
    findings: int = 400,
    places: int = 20,
    pictures: int = 3,
    strength: float = 1.0,
    seed: int = 0,
) -> tuple[list[Triple], Images]:
    """The triples, and the images, drawn into a folder."""
    rng = np.random.default_rng(seed)
    # Draws of its own: the triples are the same at every strength.
    astray = np.random.default_rng([seed, 1])
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, list[Path]] = {}
    triples: list[Triple] = []
    for name, colour in COLOURS.items():
        files[f"colour:{name}"] = [_saved(folder / f"colour-{name}.png", _patch(colour))]
    for shape in SHAPES:
        drawn = _drawn(rng, shape, (90, 90, 90))
        files[f"shape:{shape}"] = [_saved(folder / f"shape-{shape}.png", drawn)]
    names = list(COLOURS)
    for number in range(findings):
        id = f"finding:{number:04}"
        hue, shape = names[rng.integers(len(names))], SHAPES[rng.integers(len(SHAPES))]
        triples.append(Triple(id, "has colour", f"colour:{hue}"))
        triples.append(Triple(id, "has shape", f"shape:{shape}"))
        for place in rng.choice(places, size=2, replace=False).tolist():
            triples.append(Triple(id, "found in", f"place:{place:02}"))
        other = int(rng.integers(findings - 1))
        other += other >= number
        triples.append(Triple(id, "seen with", f"finding:{other:04}"))
        files[id] = []
        if astray.random() >= strength:
            hue, shape = names[astray.integers(len(names))], SHAPES[astray.integers(len(SHAPES))]
        for picture in range(pictures):
            noisy = picture > 0 and rng.random() < NOISY
            made = _static(rng) if noisy else _drawn(rng, shape, COLOURS[hue])
            files[id].append(_saved(folder / f"{number:04}-{picture}.png", made))
    return triples, Images(files)


def _saved(path: Path, picture: Any) -> Path:
    picture.save(path)
    return path


def _patch(colour: tuple[int, int, int]) -> Any:
    return pillow().new("RGB", (SIZE, SIZE), colour)


def _static(rng: np.random.Generator) -> Any:
    noise = rng.integers(0, 256, size=(SIZE, SIZE, 3), dtype=np.uint8)
    return pillow().fromarray(noise)


def _drawn(rng: np.random.Generator, shape: str, colour: tuple[int, int, int]) -> Any:
    """A shape of about that colour, somewhere near the middle, on a pale ground with grain."""
    from PIL import ImageDraw

    ground = rng.integers(225, 256, size=(SIZE, SIZE, 3), dtype=np.uint8)
    picture = pillow().fromarray(ground)
    draw = ImageDraw.Draw(picture)
    shade = tuple(int(np.clip(part + rng.integers(-15, 16), 0, 255)) for part in colour)
    middle = SIZE / 2 + rng.uniform(-3, 3, size=2)
    half = float(rng.uniform(0.3, 0.4)) * SIZE
    left, top = (middle - half).tolist()
    right, bottom = (middle + half).tolist()
    thick = max(3, int(half / 2))
    if shape == "disc":
        draw.ellipse((left, top, right, bottom), fill=shade)
    elif shape == "square":
        draw.rectangle((left, top, right, bottom), fill=shade)
    elif shape == "triangle":
        draw.polygon([(middle[0], top), (right, bottom), (left, bottom)], fill=shade)
    elif shape == "ring":
        draw.ellipse((left, top, right, bottom), outline=shade, width=thick)
    else:
        draw.line((left, top, right, bottom), fill=shade, width=thick)
        draw.line((left, bottom, right, top), fill=shade, width=thick)
    return picture
