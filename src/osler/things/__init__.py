"""What can be fetched: each thing with the archive that it lies in, its SHA-256 and its licence.

Nothing here downloads (:mod:`osler.fetch` does). The archives are those of packages in the public
registries; the packages are never installed, and none of their code runs.
"""

from osler.things.basics import BASICS
from osler.things.encoders import ENCODERS
from osler.things.kinds import Archive, Tarball, Thing, Wheel

THINGS: dict[str, Thing] = {thing.name: thing for thing in (*BASICS, *ENCODERS)}

__all__ = ["THINGS", "Archive", "Tarball", "Thing", "Wheel"]
