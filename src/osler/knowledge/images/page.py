"""Figure 3 of seed 001 as a page: each entity's pictures, those filtered with a red border.

The page stands alone: pictures are drawn small and written into it, and nothing is loaded.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from osler.knowledge.images.picture import open_picture
from osler.knowledge.images.picture_features import EntityImages

SIDE = 120

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Pictures of entities</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:;
 style-src 'unsafe-inline'">
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #222; background: #fff }
h2 { font-size: 1rem; margin: 1.5rem 0 .4rem } h2 small { color: #666; font-weight: normal }
ul { display: flex; flex-wrap: wrap; gap: .8rem; list-style: none; margin: 0; padding: 0 }
figure { margin: 0; width: 128px } img { width: 120px; height: 120px; object-fit: contain;
 border: 4px solid #ccd; background: #fafafa } .noise img { border-color: #c1121f }
figcaption { font-size: .8rem; color: #444 } .noise figcaption { color: #c1121f }
</style></head><body><h1>Pictures of entities</h1>
<p>N is the noise score, the summed distance to the entity's other pictures; w the weight in its
vector. Pictures with a red border are filtered as noise.</p>
"""


def page(pictured: Sequence[EntityImages], names: Mapping[str, str]) -> str:
    """The whole page."""
    return (
        _HEAD
        + "".join(_entity(one, names.get(one.id, one.id)) for one in pictured)
        + "</body></html>\n"
    )


def _entity(one: EntityImages, name: str) -> str:
    items = []
    noise = one.noise
    for path, score, kept, weight in zip(
        one.files, noise.scores, noise.kept, noise.weights, strict=True
    ):
        kind = "" if kept else ' class="noise"'
        verdict = f"N {score:.1f}, w {weight:.2f}" if kept else f"N {score:.1f}, filtered"
        items.append(
            f'<li{kind}><figure><img alt="{html.escape(path.name)}" src="{_small(path)}">'
            f"<figcaption>{verdict}</figcaption></figure></li>"
        )
    filtered = len(noise.kept) - sum(noise.kept)
    counted = f"{len(items)} pictures" + (f", {filtered} filtered" if filtered else "")
    return f"<h2>{html.escape(name)} <small>{counted}</small></h2><ul>{''.join(items)}</ul>\n"


def _small(path: Path) -> str:
    picture = open_picture(path)
    picture.thumbnail((SIDE, SIDE))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
