"""Whether a sentence says one end of a claim of the other.

It joins two ends where one of its statements stands between them, or where both stand on one side
with a preposition between them: "social media use and depression were associated with stress" says
nothing of one of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from osler.claims.align import Alignment
from osler.claims.ends import Ends, Phrase
from osler.claims.populations import GROUPS
from osler.claims.reading import Cue, Reading
from osler.claims.words import Word, stem
from osler.text.scripts import listed

_JOINS = listed(
    "with by after in following under among between on for from of through during upon via",
    "receiving taking using versus than to 对 与 和 在",
)
_MEANWHILE = listed("during despite before without amid")
_AFTERWARDS = listed("after following post")
_FURTHER = frozenset(["with", "to", "by"])
_GROUND = {
    "to": listed("add add-on added adjunct adjunctive adjuvant addition compared relative"),
    "of": listed("top background"),
    "with": listed("compared comparison"),
}
"""What makes a name that to which something else was added, or against which it was held."""
_TOGETHER = listed("co combination combined combining together coadministration cotreatment")
"""Words that say that two things were given as one."""
_HELD_EQUAL = frozenset(
    stem(word)
    for word in listed("adjusted adjusting adjustment controlled controlling correction corrected")
)
_AMONG = frozenset(["in", "among", "amongst", "for", "of", "across", "within"])
_PEOPLE = frozenset(
    word
    for kind in ("role", "species", "sex", "age")
    for names in GROUPS[kind].values()
    for word in names
)


def joined(ends: Ends, aligned: Alignment, sentence: Reading) -> bool:
    """Whether a sentence says something of one end to the other: it has the whole subject, the
    first phrase of what is said of it and of what it is compared with, and a statement that joins
    them."""
    wanted = [*ends.before, *ends.rest[:1], *ends.compared[:1]]
    if not all(phrase.named(aligned) for phrase in wanted):
        return False
    if not {word.stem for word in sentence.words}.issuperset(ends.beside):
        return False
    if not ends.before or not ends.rest:
        return True
    return bool(joining(ends, aligned, sentence))


def joining(ends: Ends, aligned: Alignment, sentence: Reading) -> list[Cue]:
    """The statements that say something of one end to the other; all of them where one word
    answers both ends ("obese" for obesity and body weight), or where there is one end only."""
    subject = places_of(ends.before, aligned)
    rest = places_of(ends.rest[:1], aligned)
    apart = (subject - rest, rest - subject)
    if not all(apart):
        return list(sentence.cues)
    standing = [_standing(one, aligned, sentence) for one in (ends.before, ends.rest[:1])]
    if not all(standing):
        return []
    if standing[0] - rest and standing[1] - subject:
        # Else both have one head, and their other words tell them apart: two kinds of surgery.
        apart = (standing[0] - rest, standing[1] - subject)
    statements = [
        cue
        for cue in sentence.cues
        if _joins(sentence, cue, *apart, ends.verb)
        and nearest(heads_at(ends.before, aligned), cue.at) in standing[0]
        and not _with_another(sentence, nearest(apart[0], cue.at), subject)
    ]
    # Where one stands between the ends, what stands beside them says when, or how much.
    return [cue for cue in statements if _between(cue, *apart)] or statements


def places_of(named: Sequence[Phrase], aligned: Alignment) -> set[int]:
    return {place for one in named for at in one.places for place in aligned.places[at]}


def heads_at(named: Sequence[Phrase], aligned: Alignment) -> set[int]:
    """Where the heads of phrases are named. A statement is of the mention that stands nearest: in
    "statin use ... but no effects of statin-induced decreases" nothing is said of statins."""
    return {place for one in named for place in aligned.places[one.head]}


def _standing(named: Sequence[Phrase], aligned: Alignment, sentence: Reading) -> set[int]:
    """Places at which the head of a phrase is what the sentence speaks of: "stroke-related
    mortality" and "fear of stroke" speak of something else."""
    own = places_of(named, aligned)
    return {
        place
        for one in named
        for place in aligned.places[one.head]
        if not _names_another(sentence.words, place, own) and not _part_of(sentence, place, own)
    }


def _names_another(words: Sequence[Word], place: int, own: set[int]) -> bool:
    """Whether the word behind a name makes it the name of another thing."""
    behind = place + 1
    while behind < len(words) and (behind in own or words[behind].text[0].isdigit()):
        behind += 1
    if behind >= len(words) or words[behind].mark:
        return False
    word = words[behind]
    if word.start == words[behind - 1].end + 1 and word.stem in _HYPHENED:
        return True
    lower = word.text.lower()
    return word.content and word.stem not in _LIGHT and not lower.endswith(("ed", "ly"))


def _part_of(sentence: Reading, place: int, own: set[int]) -> bool:
    """Whether a name only says of what something else is: "the timing of aspirin"."""
    words = sentence.words
    for at in range(place - 1, max(0, place - 4), -1):
        if words[at].text.lower() == "of":
            head = words[at - 1]
            other = head.content or head.stem in _TIMES
            if head.stem in _VERDICTS:
                # "The benefits of exercise" are what is said of it.
                return False
            return other and head.stem not in _LIGHT and at - 1 not in own
        if words[at].mark or words[at].text.lower() in _JOINS:
            return False
    return False


_LIGHT = frozenset(
    stem(word)
    for word in listed(
        "disease infection syndrome disorder symptom episode case event attack onset occurrence",
        "development progression severity use usage intake administration supplementation",
        "consumption exposure therapy program programme intervention training activity quality",
        "dose receipt history presence effect impact addition initiation users",
    )
)
"""Nouns that leave a name what it is: "COVID-19 infection", "use of aspirin"."""
_VERDICTS = frozenset(stem(word) for word in ("benefit", "efficacy", "effectiveness", "success"))
"""Nouns that state, though they name something good."""
_TIMES = frozenset(stem(word) for word in ("years", "months", "weeks", "days", "time"))
_HYPHENED = frozenset(stem(word) for word in ("related", "induced", "associated", "specific"))
_WISHED = frozenset(
    stem(word)
    for word in listed(
        "recommend recommendation need require requirement necessary necessity mandatory warrant",
        "advisable",
    )
)
"""What people think should be: no finding, unless it is what the claim says."""
_FINDS = listed(
    "found shown seen observed reported demonstrated proved proven appears appear appeared seems",
    "seem seemed tends tend tended likely able",
)


def _only_meant(sentence: Reading, cue: Cue) -> bool:
    """Whether a statement says what something is for, not what was found: "to prevent it" (but not
    "was found to prevent it"), "approaches for improving it"."""
    words = sentence.words
    before = [word.text.lower() for word in words[max(0, cue.at - 3) : cue.at]]
    lower = words[cue.at].text.lower()
    if before[-1:] == ["for"] and lower.endswith("ing"):
        return True
    for at in range(len(before) - 1, -1, -1):
        if before[at] == "to" and not lower.endswith(("ed", "ion", "er")):
            ahead = words[max(0, cue.at - len(before) + at - 3) : cue.at - len(before) + at]
            return not any(w.text.lower() in _FINDS or w.has("neg") for w in ahead)
        if not before[at].endswith("ly"):
            return False
    return False


def _joins(sentence: Reading, cue: Cue, subject: set[int], rest: set[int], verb: str) -> bool:
    near = nearest(subject, cue.at), nearest(rest, cue.at)
    first, second = min(near), max(near)
    if _beside(sentence, near[0], cue) or _only_meant(sentence, cue) or _listed(sentence, cue):
        return False
    if near[0] == cue.at + 1:
        # "An effective vaccine": the statement is part of a name.
        return False
    word = sentence.words[cue.at]
    if word.stem in _WISHED and verb not in _WISHED:
        return False
    if _beside_what_changed(sentence, near[0], cue) or _names_a_change(sentence, cue):
        return False
    if word.content and cue.at not in rest and word.stem not in (verb, *_VERDICTS):
        # "Satisfaction" names something, and states nothing.
        return False
    if cue.family == "relation" and cue.at < first and not _opens(sentence, cue):
        return False
    if cue.at < near[0] < near[1] and word.has("up", "down"):
        # "Increases in mindfulness and anxiety": what should act is what changed.
        return False
    if sentence.clauses[near[1]] != sentence.clauses[cue.at] and cue.at not in rest:
        return False
    if _said_apart(sentence, first, second):
        return False
    if sentence.clauses[near[0]] > sentence.clauses[cue.at]:
        # What acts is named in a later clause: this statement is of something else.
        return False
    if near[0] <= cue.at <= near[1]:
        return not _of_whom(sentence, cue, near[1], rest)
    # The subject behind the statement needs a word that ties it: a list names it only.
    first = max(first, cue.at) if near[0] > cue.at > near[1] else first
    between = sentence.words[first + 1 : second]
    if not any(word.text.lower() in _JOINS or word.stem == verb for word in between):
        return False
    following = sentence.words[cue.at + 1 : cue.at + 2]
    return not (second < cue.at and any(word.text.lower() in _FURTHER for word in following))


def _said_apart(sentence: Reading, first: int, second: int) -> bool:
    """Whether a statement of its own begins between two ends: "risk factors of admission were
    diabetes and obesity, and those of death were age and cancer" says nothing of obesity and
    death. What follows "and" without a subject goes on about the same, and a list ("obesity, age,
    and sex increased mortality") is one subject."""
    words = sentence.words
    for at in range(first + 2, second):
        if words[at].text.lower() == "that" and words[at - 1].text.lower() in _CONCLUDES:
            return True
        if words[at].text.lower() not in _COORDINATES or words[at - 1].text not in ",，":
            continue
        own = (n for n in range(at + 1, len(words)) if _is_finite(sentence, n))
        verb = next(own, len(words))
        if verb == len(words) or not any(_names(words[n]) for n in range(at + 1, verb)):
            continue
        # "And" alone may stand before the last of a list.
        opened = words[at].text.lower() != "and" or words[at + 1].text.lower() in _OPENERS
        told = range(0 if opened else first + 1, at)
        if any(_is_finite(sentence, n) for n in told):
            return True
    return False


def _names(word: Word) -> bool:
    return word.content and not word.text.lower().endswith("ly")


def _beside_what_changed(sentence: Reading, subject: int, cue: Cue) -> bool:
    """Whether a statement is the second of two that hold of a third: "they had more anxiety and a
    lower quality of life" says nothing of one of the other. A verb that stands between has the
    subject for its own: "anxiety was common and lowered it"."""
    words = sentence.words
    at = cue.at - 1
    while at > subject and (words[at].text.lower() in _FILLS or words[at].text.endswith("ly")):
        at -= 1
    if at <= subject or words[at].text.lower() != "and":
        return False
    return not any(_is_finite(sentence, n) for n in range(subject + 1, at))


def _names_a_change(sentence: Reading, cue: Cue) -> bool:
    """Whether a noun of change only says of what something else is: "the cost of prevention was
    lowest with it" does not say that it prevents."""
    words = sentence.words
    if not words[cue.at].text.lower().endswith(_NOUNS):
        return False
    at = cue.at - 1
    while at > 0 and words[at].text.lower() not in _JOINS and not words[at].mark:
        if cue.at - at > 2:
            return False
        at -= 1
    if at < 1 or words[at].text.lower() != "of":
        return False
    head = words[at - 1]
    return head.content and head.stem not in _PROVES


_NOUNS = ("tion", "ment", "tions", "ments")
_PROVES = frozenset(
    stem(word) for word in listed("evidence sign degree extent magnitude rate effect benefit")
)
_FILLS = frozenset(["a", "an", "the", "their", "more", "less", "also"])


def _is_finite(sentence: Reading, at: int) -> bool:
    """Whether a word is a verb that makes a sentence: one of ours, or a form of "to be" and its
    like."""
    lower = sentence.words[at].text.lower()
    if lower in _FINITE:
        return True
    return lower.endswith("ed") and any(cue.at == at and not cue.modifier for cue in sentence.cues)


_CONCLUDES = listed("suggesting indicating implying showing meaning concluding demonstrating")
_COORDINATES = frozenset(["and", "but", "while", "whereas"])
_OPENERS = listed("the a an this these those its their our we it they there no")
_FINITE = listed("is are was were has have had did does may can could might")


def _of_whom(sentence: Reading, cue: Cue, place: int, rest: set[int]) -> bool:
    """Whether an end only says in whom something else was found: "no impact on nitric oxide in
    patients with diabetes" says nothing of diabetes."""
    words = sentence.words
    found_in = [at for at in range(cue.at + 1, place) if words[at].text.lower() in _AMONG]
    for at in found_in:
        whom = (words[n].text.lower() for n in range(at + 1, min(place + 3, len(words))))
        named = any(word in _PEOPLE for word in whom)
        if named and any(words[n].content for n in range(cue.at + 1, at) if n not in rest):
            return True
        if named and cue.modifier and at == cue.at + 1:
            # "More effective among women with anemia": whom it serves better, not what it does.
            return True
    return False


def _opens(sentence: Reading, cue: Cue) -> bool:
    """ "Association between A and B", not "a role in easing A in B"."""
    behind = sentence.words[cue.at + 1 : cue.at + 2]
    return any(word.text.lower() in ("between", "of", "among", "with") for word in behind)


def _between(cue: Cue, subject: set[int], rest: set[int]) -> bool:
    first, second = sorted((nearest(subject, cue.at), nearest(rest, cue.at)))
    return first <= cue.at <= second


def _beside(sentence: Reading, subject: int, cue: Cue) -> bool:
    """Whether a subject only says when or beside what: "coffee during sleep loss improved memory",
    "gemcitabine after chemotherapy prolonged survival", "added to metformin it helped"."""
    before = [word.text.lower() for word in sentence.words[max(0, subject - 5) : subject]]
    if before and not _GROUND.get(before[-1], frozenset()).isdisjoint(before[:-1]):
        return True
    if _held_equal(sentence, subject):
        return True
    for at in range(max(0, subject - 4), subject):
        lower = sentence.words[at].text.lower()
        if lower in _MEANWHILE and at >= subject - 2:
            return True
        if lower in _AFTERWARDS and subject < cue.at:
            clause = sentence.clauses[at]
            ahead = (n for n in range(at) if sentence.clauses[n] == clause)
            return any(sentence.words[n].content for n in ahead)
    return False


def _held_equal(sentence: Reading, subject: int) -> bool:
    """Whether a subject is only what was held equal: "after adjustment for age, sex and frailty"
    nothing is said of frailty."""
    words = sentence.words
    acts = any(cue.at - subject in (1, 2) for cue in sentence.cues)
    if acts and subject and words[subject - 1].text in ",，":
        # The list has ended: "after adjustment for age, frailty increased mortality".
        return False
    for at in range(subject - 1, 0, -1):
        if sentence.clauses[at] != sentence.clauses[subject] or any(
            c.at == at for c in sentence.cues
        ):
            return False
        if words[at].text.lower() == "for" and words[at - 1].stem in _HELD_EQUAL:
            return True
    return False


def _with_another(sentence: Reading, place: int, subject: set[int]) -> bool:
    """Whether a subject was given together with something else, so that nobody knows which of the
    two it was: "co-supplementation with magnesium and melatonin", "melatonin plus magnesium". What
    is held against the other alone tells: "A plus B was better than A alone" speaks of B."""
    words = sentence.words
    lower = [word.text.lower() for word in words]
    if any(lower[at] == "alone" and at - 1 not in subject for at in range(1, len(lower))):
        return False
    first = last = place
    while first - 1 in subject:
        first -= 1
    while last + 1 in subject:
        last += 1
    ahead, behind = lower[max(0, first - 5) : first], lower[last + 1 : last + 4]
    together = not _TOGETHER.isdisjoint(ahead)
    if ahead[-1:] == ["plus"] or (together and ahead[-1:] in (["and"], ["with"])):
        return subject.isdisjoint(range(first - 5, first))
    for joint in (["plus"], ["combined", "with"], ["in", "combination", "with"]):
        if behind[: len(joint)] == joint:
            return last + 1 + len(joint) not in subject
    return together and behind[:1] == ["and"] and last + 2 not in subject


def _listed(sentence: Reading, cue: Cue) -> bool:
    """Whether a statement is one of a list of what was found: "more mindfulness, and decreases in
    anxiety" says nothing of one of the other."""
    words = sentence.words
    if not any(word.text.lower() in ("in", "of") for word in words[cue.at + 1 : cue.at + 2]):
        return False
    before = [w.text.lower() for w in words[max(0, cue.at - 3) : cue.at]]
    return "and" in before[-2:] and words[cue.at].text.lower().endswith(("s", "ion", "e"))


def nearest(places: set[int], at: int) -> int:
    return min(places, key=lambda place: (abs(place - at), place))
