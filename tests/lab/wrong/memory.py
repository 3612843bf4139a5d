"""Devices that keep, lose and restart wrongly."""

from __future__ import annotations

from firmware_specs import link
from firmware_specs.frames import FrameDecoder, encode_frame
from firmware_specs.spec import Message
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong, least


class Renumbers(DeviceLink):
    """Numbers what it holds from 1 again after a restart, in the same epoch."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        held = [frame for _, frame in sorted(self._held.items())]
        super().power_cycle(keep_memory, off_for)
        if keep_memory:
            self._held = {}
            for number, frame in enumerate(held, start=1):
                content = FrameDecoder().feed(frame)[0]
                self._held[number] = encode_frame(link.pack_event(link.EVENT, number, content[5]) + content[6:])
            self._oldest, self._next = 1, len(held) + 1


class NewEpochEveryTime(DeviceLink):
    """Draws a new epoch with every start, though nothing was lost."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        super().power_cycle(keep_memory, off_for)
        self.epoch = self._draw()


class SameEpochAlways(DeviceLink):
    """Keeps its epoch though its memory was lost."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        epoch = self.epoch
        super().power_cycle(keep_memory, off_for)
        self.epoch = epoch


class OverwritesOldest(DeviceLink):
    """Has a ring that goes round."""

    def post(self, message: Message) -> int:
        if len(self._held) >= self.capacity:
            del self._held[self._oldest]
            self._oldest += 1
            self._received = max(self._received, self._oldest - 1)
        return super().post(message)


class LeavesOutTheNewest(DeviceLink):
    """Leaves out what finds no room."""

    def post(self, message: Message) -> int:
        return self._next - 1 if len(self._held) >= self.capacity else super().post(message)


class HoldsFew(DeviceLink):
    """Has room for twenty events."""

    def post(self, message: Message) -> int:
        self.capacity = 20
        return super().post(message)


class RefusesEarly(DeviceLink):
    """Takes no more than thirty events."""

    def post(self, message: Message) -> int:
        return 0 if len(self._held) >= 30 else super().post(message)


class CountsEpochs(DeviceLink):
    """Counts its lives."""

    def _forget(self) -> None:
        before = self.epoch
        super()._forget()
        self.epoch = before + 1


class TwoEpochs(DeviceLink):
    """Has two epochs and takes turns."""

    def _forget(self) -> None:
        before = self.epoch
        super()._forget()
        self.epoch = 0xAAAAAAAA if before != 0xAAAAAAAA else 0x55555555


class PhantomEvent(DeviceLink):
    """Makes an event of its own with every start."""

    def start(self) -> None:
        super().start()
        kind = next(iter(self.spec.events.values()))
        self.post(least(kind))


class ForgetsItsCount(DeviceLink):
    """Counts from 1 again after a start when it held nothing."""

    def power_cycle(self, keep_memory: bool, off_for: float = 0.0) -> None:
        super().power_cycle(keep_memory, off_for)
        if not self._held:
            self._oldest = self._next = 1


class ForgetsWithSilence(DeviceLink):
    """Clears what it holds when its host is gone."""

    def _end_session(self) -> None:
        if self._nonce and self.clock.now() >= self._heard + self._silence:
            self._held.clear()
            self._oldest = self._next
        super()._end_session()


WRONG = [
    Wrong(NewEpochEveryTime, "shoe", "restart.with_memory_keeps_events", "E2"),
    Wrong(SameEpochAlways, "shoe", "restart.without_memory_changes_the_epoch", "E2"),
    Wrong(CountsEpochs, "shoe", "memory.draws_its_epochs", "E2"),
    Wrong(TwoEpochs, "shoe", "memory.draws_its_epochs", "E2"),
    Wrong(ForgetsWithSilence, "shoe", "restart.of_the_host_is_survived", "E3"),
    Wrong(HoldsFew, "shoe", "memory.holds_what_its_page_asks", "E10"),
    Wrong(RefusesEarly, "shoe", "memory.holds_what_its_page_asks", "E10"),
    Wrong(OverwritesOldest, "shoe", "memory.forgets_all_or_nothing", "E11"),
    Wrong(OverwritesOldest, "chips", "memory.forgets_all_or_nothing", "E11"),
    Wrong(LeavesOutTheNewest, "shoe", "memory.forgets_all_or_nothing", "E11"),
    Wrong(Renumbers, "shoe", "restart.with_memory_keeps_events", "R1"),
    Wrong(ForgetsItsCount, "wheel", "restart.with_memory_goes_on_counting", "R1"),
    Wrong(PhantomEvent, "wheel", "restart.numbers_nothing_by_itself", "R2"),
    Wrong(PhantomEvent, "chips", "restart.numbers_nothing_by_itself", "R2"),
]
