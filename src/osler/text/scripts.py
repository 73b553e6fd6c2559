"""Which characters belong to which script, and how lists of words are written down."""

from __future__ import annotations

import re

# Han ideographs with their iteration mark and zero, and the supplementary planes.
HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
# Written without spaces: these are cut by characters, not by blanks.
CJK = HAN + KANA
GREEK = "\u0370-\u03ff\u1f00-\u1fff"
MARKS = "\u0300-\u036f"

HAN_CHARACTER = re.compile(f"[{HAN}]")
KANA_CHARACTER = re.compile(f"[{KANA}]")
CJK_CHARACTER = re.compile(f"[{CJK}]")


def listed(*lines: str) -> frozenset[str]:
    """The words of some lines, parted by blanks: long lists stay readable."""
    return frozenset(word for line in lines for word in line.split())
