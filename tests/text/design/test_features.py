"""What is not looked at for speed's sake must not have been there."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from osler.text.design.features import CUES, NEEDED, Weighed, cues, features_of
from osler.text.design.judge import shipped


@pytest.mark.parametrize("name", CUES)
def test_whatever_a_cue_matches_holds_one_of_its_pieces(name: str) -> None:
    @settings(max_examples=300, deadline=None, derandomize=True)
    @given(st.from_regex(re.compile(CUES[name]), fullmatch=True))
    def holds(text: str) -> None:
        assert any(piece in text for piece in NEEDED[name]), text

    holds()


@pytest.mark.parametrize("name", CUES)
def test_whatever_a_cue_matches_is_found_wherever_it_stands(name: str) -> None:
    """As by looking for it in title, beginning and rest without first asking where it may be."""
    pattern = re.compile(CUES[name])

    @settings(max_examples=150, deadline=None, derandomize=True)
    @given(
        st.from_regex(pattern, fullmatch=True), st.sampled_from([" ", " so ", "x", "9", "-", ""])
    )
    def found(text: str, between: str) -> None:
        text = text.lower()
        title = f"on{between}{text}{between}of"
        abstract = f"{'we are. ' * 44}{title} {'so on, ' * 30}{title} {title} {text}{between}"
        features = cues(title, abstract)
        times = min(3, len(pattern.findall(abstract[400:])))
        assert (f"c:title {name}" in features) == bool(pattern.search(title))
        assert (f"c:early {name}" in features) == bool(pattern.search(abstract[:400]))
        assert features.get(f"c:later {name}", 0.0) == times / 3

    found()


def test_a_text_has_the_same_known_features_either_way() -> None:
    known = shipped().weights
    weighed = Weighed(known)
    texts = [
        ("", ""),
        ("Statins and death: a meta-analysis", "We searched PubMed. Of 120 trials, 12 were in."),
        ("Odd — naïve case report 123abc", "A 45-year-old man. RESULTS: p < 0.05 in mice; mice."),
        ("The the the", "of of of of of patients were were patients were"),
    ]
    texts += [(f"{a} {b}", f"{b} {a} {b} {a}") for a, b in pairwise(_words(known))]
    for title, abstract in texts:
        whole = {name: v for name, v in features_of(title, abstract).items() if name in known}
        some = {n: v for n, v in weighed.features_of(title, abstract).items() if n in known}
        # In the same order too: in another one the last bits of their sum would differ.
        assert list(some.items()) == list(whole.items())


def _words(known: object) -> list[str]:
    return [name[2:] for name in list(known)[::40] if name[:2] in ("a:", "t:")]  # type: ignore[call-overload]
