"""When two stems are forms of one word: "smoking" and "smokers", "stenosis" and "stenotic".

A shared beginning does not make one word: "cortisone" and "cortisol", "antibiotic" and "antibody",
"arthritis" and "arthrosis" begin alike and name different things. What is left of each stem behind
the beginning tells: it must be an ending that one word can take, and both endings must belong to
one way of forming words. Endings that make new names (-itis, -osis, -oma, -ectomy, -ine, -ol, -ase)
are no forms of a word, and stand in none of the lists.
"""

from __future__ import annotations

from osler.text.scripts import listed

LEAST_SHARED = 5
"""Letters that two stems have in common at least; four are enough where they are a whole stem."""
SHARE = 0.6
"""Share of the longer stem that the two have in common."""

_BARE = frozenset([""])
_WAYS = (
    # English: act, actor, action, active, activity.
    _BARE
    | listed(
        "e er or r s y i ed ing ion al ial ic ical ist st ism iv ment ous ant ent anc enc anci",
        "enci aci abl ibl iz ifi ar ari ri ish ful ag th ness li ili es ur ier ian tion ori ee",
    ),
    _BARE | listed("en"),
    _BARE | listed("ren"),
    # Latin: esophagus, cerebellar.
    _BARE | listed("um us a al ar eal i"),
    listed("l ular"),
    # Greek: ischemia, stenosis and stenotic, prophylaxis and prophylactic, angiogram.
    _BARE | listed("ia ic i"),
    _BARE | listed("ic is"),
    listed("si t"),
    listed("i t"),
    listed("xi ct"),
    listed("m ph phi"),
    # Verbs and their nouns: perceive, prescribe, respond; appendices and appendix.
    listed("iv pt"),
    listed("b pt"),
    listed("d s"),
    listed("c x"),
    listed("k c"),
    # Therapy and therapeutic; two ways of spelling.
    listed("i eut"),
    listed("s z"),
)
# Endings that only some beginnings take: asthma-tic, pancrea-tic, reduc-tion; africa-n, ovari-an;
# cornea-l; exten-d and exten-t, complian-ce and complian-t (but sulfi-de, sulfi-te).
_BEHIND = {
    frozenset(["", "t"]): ("ma", "ea", "duc"),
    frozenset(["", "n"]): ("a",),
    frozenset(["", "an"]): ("i",),
    frozenset(["", "l"]): ("a",),
    frozenset(["d", "t"]): ("n",),
    frozenset(["c", "t"]): ("n",),
}


def forms_of_one_word(one: str, other: str) -> bool:
    """Whether two stems (as ``words.stem`` gives them) are forms of one word."""
    shared = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        shared += 1
    shorter, longer = sorted((len(one), len(other)))
    if shared < min(LEAST_SHARED, max(4, shorter)) or shared < SHARE * longer:
        return False
    endings = frozenset([one[shared:], other[shared:]])
    if endings in _BEHIND:
        return one[:shared].endswith(_BEHIND[endings])
    return any(endings <= way for way in _WAYS)
