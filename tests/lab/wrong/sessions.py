"""Devices that begin, keep and end sessions wrongly."""

from __future__ import annotations

from firmware_specs import link
from simulators.link import DeviceLink
from tests.lab.wrong.device import Wrong


class WrongNonce(DeviceLink):
    """Answers HELLO as if it announced itself."""

    def _identify(self, nonce: int) -> None:
        super()._identify(0)


class Sluggish(DeviceLink):
    """Answers HELLO after half a second."""

    def _identify(self, nonce: int) -> None:
        if nonce:
            self.clock.call_later(0.5, super()._identify, nonce)
        else:
            super()._identify(nonce)


class IgnoresOtherVersions(DeviceLink):
    """Says nothing to a host of another version."""

    def _on_hello(self, hello: link.Hello) -> None:
        if hello.link_version == link.LINK_VERSION:
            super()._on_hello(hello)


class KeepsSessionForOthers(DeviceLink):
    """Answers a HELLO of another version and goes on as before."""

    def _on_hello(self, hello: link.Hello) -> None:
        if hello.link_version == link.LINK_VERSION:
            super()._on_hello(hello)
        else:
            self._identify(hello.nonce)


class SessionForAnyVersion(DeviceLink):
    """Begins a session with whoever says HELLO."""

    def _on_hello(self, hello: link.Hello) -> None:
        super()._on_hello(hello)
        self._begin_session(hello)


class TakesNonceZero(DeviceLink):
    """Answers a HELLO without a nonce."""

    def _on_bytes(self, octets: bytes) -> None:
        before = self.counters["bad"]
        super()._on_bytes(octets)
        if self.counters["bad"] != before:
            self._identify(77)


class AnnouncesRarely(DeviceLink):
    """Announces itself every ten seconds."""

    def _pulse(self) -> None:
        if not self._nonce and self.clock.now() < self._announced + 10:
            self._sent = self.clock.now()
        super()._pulse()


class AnswersStraysInHaste(DeviceLink):
    """Answers every stray frame."""

    def _announce(self) -> None:
        self._identify(0)


class SilentStart(DeviceLink):
    """Says nothing when it starts, and announces itself with its first beat."""

    def _open(self) -> None:
        self._announced = self.clock.now() + 1e-6
        super()._open()

    def _announce(self) -> None:
        if self.clock.now() > self._announced:
            super()._announce()


class NeverAnnounces(DeviceLink):
    """Waits to be asked."""

    def _announce(self) -> None:
        self.counters["quiet"] += 1


class AppliesStraySet(DeviceLink):
    """Applies a SET that belongs to no session, and says nothing of it."""

    def _on_set(self, content: bytes) -> None:
        if not self._nonce:
            self._set_outputs(self.spec.outputs.decode(content[3:]), "host")
        super()._on_set(content)


class DoesStrayCommands(DeviceLink):
    """Does a command that belongs to no session."""

    def _on_command(self, content: bytes) -> None:
        if not self._nonce and len(content) > 5 and content[5] in self.spec.commands:
            self.behaviour.command(1, self.spec.commands[content[5]].decode(b""))
        super()._on_command(content)


class WaitsForAck(DeviceLink):
    """Takes nothing before the first ACK."""

    def _on_set(self, content: bytes) -> None:
        if self._flowing:
            super()._on_set(content)


class SendsAtOnce(DeviceLink):
    """Sends events before it was accepted."""

    def _on_hello(self, hello: link.Hello) -> None:
        super()._on_hello(hello)
        for frame in list(self._held.values())[:4]:
            self._write(frame)


class KeepsRevision(DeviceLink):
    """Does not begin a session without a revision."""

    def _on_hello(self, hello: link.Hello) -> None:
        revision = self._revision
        super()._on_hello(hello)
        self._revision = revision


class AnswersANonceOnce(DeviceLink):
    """Takes a HELLO that is repeated for one it has answered."""

    def _on_hello(self, hello: link.Hello) -> None:
        if hello.nonce != self._nonce:
            super()._on_hello(hello)


WRONG = [
    Wrong(WrongNonce, "shoe", "identify.answers_hello", "S2"),
    Wrong(Sluggish, "shoe", "identify.answers_hello", "S2"),
    Wrong(AnswersANonceOnce, "shoe", "identify.answers_every_hello", "S2"),
    Wrong(SendsAtOnce, "shoe", "events.wait_for_acceptance", "S3"),
    Wrong(KeepsRevision, "shoe", "outputs.forget_revisions_with_hello", "S3"),
    Wrong(IgnoresOtherVersions, "shoe", "identify.tells_another_link_version", "S4"),
    Wrong(SessionForAnyVersion, "shoe", "identify.tells_another_link_version", "S4"),
    Wrong(KeepsSessionForOthers, "shoe", "identify.ends_its_session_for_another_link_version", "S4"),
    Wrong(TakesNonceZero, "shoe", "identify.answers_no_wrong_hello", "S5"),
    Wrong(WaitsForAck, "shoe", "commands.are_done_before_the_first_ack", "S6"),
    Wrong(AnnouncesRarely, "shoe", "identify.announces_itself", "S7"),
    Wrong(SilentStart, "shoe", "restart.is_announced_at_once", "S7"),
    Wrong(NeverAnnounces, "shoe", "identify.answers_strays", "S8"),
    Wrong(AnswersStraysInHaste, "shoe", "identify.answers_strays", "S8"),
    Wrong(AppliesStraySet, "shoe", "identify.answers_strays", "S8"),
    Wrong(DoesStrayCommands, "wheel", "identify.answers_strays", "S8"),
]
