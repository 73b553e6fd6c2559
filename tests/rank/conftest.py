"""A small world of our own: papers on three topics, and on none."""

import numpy as np
import pytest

from osler.kinds import Document, Section
from osler.rank.pool import Pool
from osler.rank.sentence_ranker import Abstract
from osler.rank.topic import Topic

TOPICS = [Topic("Sleep_Wakefulness"), Topic("Fear"), Topic("Loss")]
WORDS = [
    ("sleep wakefulness slow wave rem arousal insomnia melatonin", "night recording in mice"),
    ("fear threat amygdala freezing startle conditioned extinction", "foot shock in rats"),
    ("loss grief bereavement mourning widow perinatal death", "interviews with families"),
    ("copper corrosion alloy hydraulic turbine steel bearing", "laboratory tests of metal"),
]
FILLER = (
    "We recruited the participants from two centres. The measures were taken twice. "
    "Ethical approval was granted."
)


def paper(topic, number):
    """One paper: its second sentence is the relevant one."""
    rng = np.random.default_rng(100 * topic + number)
    words = list(rng.permutation(WORDS[topic][0].split()))
    relevant = f"Our results suggest that {words[0]} and {words[1]} change with {words[2]}."
    text = f"Background matters to {WORDS[topic][1]}. {relevant} {FILLER}"
    return (
        Document(
            id=f"{topic}-{number:02d}",
            title=f"A study of {words[0]} and {words[3]}",
            sections=(Section(text),),
        ),
        relevant,
    )


@pytest.fixture(scope="session")
def world():
    """Twelve papers a topic and twelve on none: pool, targets, topics."""
    made = [(paper(topic, number), topic) for topic in range(4) for number in range(12)]
    documents = [document for (document, _), _ in made]
    targets = np.array([topic for _, topic in made])
    return Pool(documents).warm(), targets, TOPICS


@pytest.fixture(scope="session")
def abstracts():
    made = []
    for topic in range(3):
        for number in range(8):
            document, relevant = paper(topic, number)
            made.append(Abstract(document, TOPICS[topic], relevant=[relevant]))
    return made
