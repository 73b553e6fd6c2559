"""A brief as one HTML file that needs nothing else: it prints to a clean page."""

from __future__ import annotations

from html import escape

from osler.brief import parts
from osler.brief.brief import Brief, Quote
from osler.explain.sides_svg import sides_chart

_STYLE = """
:root{color-scheme:light dark;--ink:#1c2430;--soft:#566273;--line:#d8dee7;--paper:#fff;
--s0:#1f6f54;--s1:#a33b2e;--s2:#8a6412;--s3:#5b6b80;--s4:#76839a;--s5:#76839a}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a5b0bf;--line:#39424f;--paper:#12161c;
--s0:#2f8f6e;--s1:#c25a4c;--s2:#a37a22;--s3:#71839b;--s4:#8592a6;--s5:#8592a6}}
@page{margin:18mm}
*{box-sizing:border-box}
body{font:16px/1.55 Georgia,"Noto Serif","Noto Serif CJK SC",serif;color:var(--ink);
background:var(--paper);max-width:46rem;margin:0 auto;padding:2.5rem 1.25rem}
h1{font-size:1.7rem;line-height:1.25;margin:0 0 .3rem}
h2{font:600 .85rem/1.4 system-ui,sans-serif;letter-spacing:.06em;text-transform:uppercase;
color:var(--soft);border-top:1px solid var(--line);padding-top:1.1rem;margin:2rem 0 .6rem}
.when,.told,.place,li,figcaption{font:.86rem/1.5 system-ui,sans-serif;color:var(--soft)}
.when{margin:0}
.words{font-size:1.12rem;font-weight:600;margin:1.1rem 0;padding-left:.9rem;
border-left:.3rem solid var(--s3)}
.answered .words{border-color:var(--s0)}.near .words{border-color:var(--s2)}
article{margin:0 0 1.4rem;break-inside:avoid}
article h3{font-size:1rem;margin:0}
.told,.place{margin:.1rem 0}
blockquote{margin:.45rem 0;padding:0 0 0 .9rem;border-left:2px solid var(--line)}
figure{margin:1rem 0}
svg{max-width:100%;height:auto;font:13px system-ui,sans-serif}
svg text{fill:var(--ink)}
svg [class^=count]{fill:#fff;font-weight:600}
.side-0{fill:var(--s0)}.side-1{fill:var(--s1)}.side-2{fill:var(--s2)}.side-3{fill:var(--s3)}
.side-4{fill:var(--s4)}.side-5{fill:var(--s5)}
a{color:inherit}
@media print{body{padding:0;max-width:none;font-size:11pt}:root{color-scheme:light}}
"""


def to_html(brief: Brief) -> str:
    """The page as an HTML file."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(brief.question)}</title><style>{_STYLE}</style></head>"
        f"<body><main>{body(brief)}</main></body></html>\n"
    )


def body(brief: Brief) -> str:
    """What stands on the page, for a page of one's own."""
    out = [
        f'<div class="brief {escape(brief.verdict)}">',
        f"<h1>{escape(brief.question)}</h1>",
        f'<p class="when">{escape(brief.library)}, {escape(brief.date)}</p>',
        f'<p class="words">{escape(brief.words)}</p>',
    ]
    if brief.designs:
        chart = sides_chart(brief.designs, tuple(brief.sides), about="Papers by design and side")
        out.append(
            f"<figure>{chart}<figcaption>Papers by design of study and by side. A count of papers, "
            "not an answer.</figcaption></figure>"
        )
    for heading, quotes in parts.quoted(brief):
        out.append(f"<section><h2>{escape(heading)}</h2>")
        out += [_quote(quote) for quote in quotes]
        out.append("</section>")
    out.append(_listed(parts.SEARCHED, (*parts.searched(brief), *brief.notes)))
    out.append(_listed(parts.LIMITS, brief.limits))
    out.append("</div>")
    return "".join(out)


def _quote(quote: Quote) -> str:
    cited = f'<p class="told">{escape(quote.cited)}</p>' if quote.cited else ""
    account = parts.told(quote)
    line = f'<p class="told">{escape(account)}</p>' if account else ""
    return (
        f"<article><h3>{escape(quote.title)}</h3>{cited}{line}"
        f"<blockquote>{escape(quote.text)}</blockquote>"
        f'<p class="place">{escape(parts.place(quote))}</p></article>'
    )


def _listed(heading: str, lines: tuple[str, ...]) -> str:
    rows = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<section><h2>{escape(heading)}</h2><ul>{rows}</ul></section>"
