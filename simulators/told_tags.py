"""What a mat has told its host: the tags of each area, and the areas of each tag."""

from __future__ import annotations

from collections.abc import Iterable


class ToldTags:
    """Tags by area; a tag is found without a search through all areas."""

    __slots__ = ("_areas_of", "_tags_of", "count")

    def __init__(self, areas: int) -> None:
        self._tags_of: dict[int, set[int]] = {area: set() for area in range(areas)}
        self._areas_of: dict[int, tuple[int, ...]] = {}
        self.count = 0
        """Tags on all areas together."""

    def __contains__(self, tag: int) -> bool:
        return tag in self._areas_of

    def __getitem__(self, area: int) -> set[int]:
        """The tags told at an area; changed only through the methods here."""
        return self._tags_of[area]

    def tags(self) -> Iterable[int]:
        return self._areas_of

    def areas_of(self, tags: Iterable[int]) -> list[int]:
        """The areas where any of these tags was told, in order."""
        areas_of = self._areas_of
        return sorted({area for tag in tags if tag in areas_of for area in areas_of[tag]})

    def add(self, area: int, tags: Iterable[int]) -> None:
        told, areas_of = self._tags_of[area], self._areas_of
        for tag in tags:
            if tag not in told:
                told.add(tag)
                self.count += 1
                areas_of[tag] = (*areas_of[tag], area) if tag in areas_of else (area,)

    def drop(self, area: int, tags: Iterable[int]) -> None:
        told, areas_of = self._tags_of[area], self._areas_of
        for tag in tags:
            if tag in told:
                told.remove(tag)
                self.count -= 1
                others = tuple(other for other in areas_of[tag] if other != area)
                if others:
                    areas_of[tag] = others
                else:
                    del areas_of[tag]

    def replace(self, area: int, tags: set[int]) -> None:
        """These tags and no others are told at the area now."""
        self.drop(area, self._tags_of[area] - tags)
        self.add(area, tags)
