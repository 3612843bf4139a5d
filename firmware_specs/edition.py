"""The whole kit as one HTML file that can be printed: the link, every device, the reference firmware."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

_STYLE = """
body { font: 11pt/1.45 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #161616; }
h1 { border-bottom: 2px solid #161616; page-break-before: always; }
h1:first-of-type { page-break-before: avoid; }
h2, h3 { page-break-after: avoid; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: 9.5pt; }
th, td { border: 1px solid #999; padding: .2rem .4rem; text-align: left; vertical-align: top; }
tr, pre, li { page-break-inside: avoid; }
pre { background: #f3f3f3; padding: .6rem; overflow-x: auto; font-size: 9pt; }
code { font-size: 95%; }
"""


def edition(folder: Path) -> str:
    """One file: contents, the link's page, the devices' pages, the reference firmware."""
    parts = [folder / "README.md", *sorted((folder / "pages").glob("*.md")), folder / "reference" / "README.md"]
    bodies = [list(_blocks(path.read_text("utf-8"))) for path in parts]
    titles = [re.sub(r"<[^>]+>", "", body[0]) for body in bodies]
    contents = "".join(f'<li><a href="#part{n}">{title}</a></li>' for n, title in enumerate(titles))
    whole = "\n".join(
        "\n".join([body[0].replace("<h1>", f'<h1 id="part{n}">', 1), *body[1:]]) for n, body in enumerate(bodies)
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>The firmware kit</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n<ol>{contents}</ol>\n{whole}\n</body></html>\n"
    )


def _inline(text: str) -> str:
    """Code, bold, links; everything else as it stands."""
    pieces = re.split(r"(`[^`]*`)", text)
    done = []
    for piece in pieces:
        if piece.startswith("`") and piece.endswith("`") and len(piece) > 1:
            done.append(f"<code>{html.escape(html.unescape(piece[1:-1]))}</code>")
            continue
        plain = html.escape(html.unescape(piece.replace("\\|", "|")), quote=False)
        plain = re.sub(r"\*\*([A-Z]\d+)\*\*", r'<b id="\1">\1</b>', plain, count=1) if plain.startswith("**") else plain
        plain = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", plain)
        plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", plain)  # one file: what it links to is further down
        done.append(plain)
    return "".join(done)


def _blocks(text: str) -> Iterator[str]:
    """Headings, tables, lists, code and paragraphs of our own pages, which use no more of Markdown."""
    lines = [line for line in text.split("\n") if not line.startswith("<!--")]
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif heading := re.match(r"(#+) (.*)", line):
            level = len(heading[1])
            yield f"<h{level}>{_inline(heading[2])}</h{level}>"
            at += 1
        elif line.startswith("    "):
            block = _while(lines, at, lambda each: each.startswith("    ") or not each.strip())
            at += len(block)
            yield f"<pre>{html.escape(chr(10).join(each[4:] for each in block).strip(chr(10)))}</pre>"
        elif line.startswith("|"):
            block = _while(lines, at, lambda each: each.startswith("|"))
            at += len(block)
            yield _table(block)
        elif line.startswith(("- ", "1. ")):
            block = _while(lines, at, lambda each: bool(each.strip()) and not each.startswith(("#", "|")))
            at += len(block)
            yield _list(block)
        else:
            block = _while(lines, at, lambda each: bool(each.strip()) and not each.startswith(("#", "|", "- ", "    ")))
            at += len(block)
            yield f"<p>{_inline(' '.join(block))}</p>"


def _while(lines: list[str], at: int, holds: object) -> list[str]:
    block = []
    for line in lines[at:]:
        if not holds(line):  # type: ignore[operator]
            break
        block.append(line)
    return block


def _table(lines: list[str]) -> str:
    rows = [[_inline(cell.strip()) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    head, body = rows[0], rows[2:]
    cells = "".join(f"<th>{cell}</th>" for cell in head)
    more = "\n".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    return f"<table>\n<tr>{cells}</tr>\n{more}\n</table>"


def _list(lines: list[str]) -> str:
    items: list[str] = []
    for line in lines:
        mark = re.match(r"(?:- |\d+\. )(.*)", line)
        if mark:
            items.append(mark[1])
        else:
            items[-1] += f" {line.strip()}"
    return f"<ul>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</ul>"
