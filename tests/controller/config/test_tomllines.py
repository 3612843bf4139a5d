"""Lines of a file are found past comments, strings and nested tables."""

from __future__ import annotations

from controller.config.tomllines import key_lines


def test_lines_are_found_past_comments_strings_and_nested_tables() -> None:
    text = """# first
a = 1 # a = 2
"quoted key".b = '''
[not a table]
c = 3
'''
d = 'it'
[t.'u']
e = [ # list
  [1,
   2], { f = "]", g.h = 3 },
]
[[t.v]]
k = 1
[t.v.w]
k = 2
[[t.v]]
[[t.v.x]]
k = 3
"""
    lines = key_lines(text)
    rows = text.splitlines()
    for keys, wanted in {
        ("a",): "a = 1 # a = 2",
        ("quoted key", "b"): "\"quoted key\".b = '''",
        ("d",): "d = 'it'",
        ("t", "u"): "[t.'u']",
        ("t", "u", "e"): "e = [ # list",
        ("t", "u", "e", 0): "  [1,",
        ("t", "u", "e", 0, 1): '   2], { f = "]", g.h = 3 },',
        ("t", "u", "e", 1, "g", "h"): '   2], { f = "]", g.h = 3 },',
        ("t", "v", 0, "k"): "k = 1",
        ("t", "v", 0, "w", "k"): "k = 2",
        ("t", "v", 1, "x", 0, "k"): "k = 3",
    }.items():
        assert rows[lines[keys] - 1] == wanted, keys
