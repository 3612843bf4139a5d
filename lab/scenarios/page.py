"""`docs/scenarios.md`: how a case is written, and every word of every game, out of the declarations themselves."""

from __future__ import annotations

from controller import games
from lab.scenarios.played import words_of
from lab.scenarios.words import as_markdown

SPOKEN = (*games.names(), "tournament")
"""Everything that has words of its own."""
HEAD = """# Scenarios

<!-- Made from the declared words: `tablectl scenario --markdown > docs/scenarios.md`. A test compares. -->

A scenario is one JSON file that says what the world does: one case, a list of cases, or `{"meta", "cases": […]}`.
`tablectl scenario FILE…` plays it through the whole stack under the virtual clock and prints one JSON object a case on
its own line (`id`, `ok`, `settlement`, `states`, `rulings`, `prompts`, `errors`); the closing count goes to standard
error. Exit status 0 when every `expected` was met, 1 when one was not, 2 when a file is wrong, with the place.
`tablectl scenario --on rig.toml FILE` plays it on a rig, `tablectl scenario --words [GAME]` prints this list.

- Every word has the one meaning that stands here. Another word or field is refused with the nearest.
- Money is in dollars with decimals, times are in seconds, angles in compartments.
- An event that never comes about, or a card that is left over, fails the case.
- `why`, `note`, `description`, `detail` and `comment` are remarks for people and may stand anywhere.
- What people do at the felt is told in `steps`: what hands do, in order, and nothing about what should follow.

"""


def page() -> str:
    """The whole page."""
    return HEAD + "\n".join(as_markdown(words_of(name)) for name in SPOKEN).rstrip() + "\n"
