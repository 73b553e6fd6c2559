"""Opening a picture safely: bounded before anything is decoded, and only plain raster formats."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from osler.errors import InputError, LimitError, MissingExtra
from osler.settings import MAX_IMAGE_BYTES, MAX_IMAGE_SIDE

FORMATS = ("PNG", "JPEG", "GIF", "BMP", "WEBP")
"""The decoders that a picture may reach; Pillow knows many more that nobody needs here."""


def pillow(what: str = "reading pictures") -> Any:
    """The module ``PIL.Image``, or an error that says how to install it."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra(what, "images") from None
    return Image


def open_picture(path: Path, *, name: str = "") -> Any:
    """A picture in RGB (the first frame of several, transparency on white).

    The size stands in the header and is held to the limits before a pixel is decoded. Whatever is
    wrong with the file is one error that says so.
    """
    image = pillow()
    name = name or path.name
    try:
        size = path.stat().st_size
    except OSError:
        raise InputError(f"there is no picture {name}") from None
    if size > MAX_IMAGE_BYTES.get():
        raise LimitError(
            f"{name} has {size:,} bytes, {MAX_IMAGE_BYTES.get():,} are allowed",
            cure=f"make it smaller, or raise {MAX_IMAGE_BYTES.variable}",
        )
    with warnings.catch_warnings():
        # Pillow only warns of what may be a bomb; here a warning is a refusal.
        warnings.simplefilter("error")
        try:
            with image.open(path, formats=FORMATS) as opened:
                width, height = opened.size
                side = MAX_IMAGE_SIDE.get()
                if max(width, height) > side:
                    raise LimitError(
                        f"{name} is {width:,} by {height:,} pixels, {side:,} are allowed a side",
                        cure=f"make it smaller, or raise {MAX_IMAGE_SIDE.variable}",
                    )
                return _flat(image, opened)
        except LimitError:
            raise
        except (image.DecompressionBombError, image.DecompressionBombWarning):
            raise LimitError(f"{name} unpacks to too many pixels") from None
        except Exception:
            # Decoders of broken files raise whatever they stumble over (struct.error, SyntaxError,
            # ZeroDivisionError ...): to the reader of a table they are all the same.
            raise InputError(
                f"{name} is no picture that can be read", cure=f"use one of {', '.join(FORMATS)}"
            ) from None


def _flat(image: Any, opened: Any) -> Any:
    if opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info:
        shown = opened.convert("RGBA")
        ground = image.new("RGBA", shown.size, (255, 255, 255, 255))
        return image.alpha_composite(ground, shown).convert("RGB")
    if opened.mode.startswith("I;16"):
        # Sixteen bits of grey, as X-rays have: converting would cut them off at 255.
        opened = opened.point(lambda value: value / 256).convert("L")
    return opened.convert("RGB")
