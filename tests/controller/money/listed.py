"""A list of chips, and files that hold one."""

from __future__ import annotations

from pathlib import Path

LIST = """tag,kind,value,set,colour,table,state
a1,cash,5,,,,
a2,cash,2.50,,,,live
b1,colour,,BW1,blue,Big Wheel 1,
b2,colour,,BW2,blue,Big Wheel 2,
b3,colour,,BW3,blue,,
c1,token,25,,,,
d1,tournament,33,,,,
e1,cash,100,,,,missing
e2,colour,,BW1,pink,Big Wheel 1,retired
f1,cash,100,,,Baccarat 7,
"""


def written(folder: Path, text: str, name: str = "list.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
