"""Catalogues of translated words as they are read: its header left out, long texts joined."""

from __future__ import annotations

import pytest

from controller.web.catalogue import catalogue, languages, read

PO = r"""msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"

#. key table.open
msgid "Open the table"
msgstr "开台"

msgid "not yet"
msgstr ""

msgid "a long “text”, "
"in \"two\" parts"
msgstr "长"
"文"
"""


def test_a_file_is_read_as_gettext_writes_it() -> None:
    assert read(PO) == {"Open the table": "开台", 'a long “text”, in "two" parts': "长文"}


def test_a_language_that_nobody_wrote_is_not_there() -> None:
    assert languages() == ["zh"]
    assert catalogue("zh")["Open the table"] == "开台"
    with pytest.raises(KeyError):
        catalogue("../zh")
