"""A wheel that tells its angle, as lewis would simulate it."""

from lewis.adapters.stream import Cmd, StreamInterface
from lewis.devices import Device


class Wheel(Device):
    angle = 4711


class WheelInterface(StreamInterface):
    commands = {Cmd("read_angle", pattern="^A$", return_mapping="{}".format)}  # noqa: RUF012 - as lewis wants it
    in_terminator = "\r\n"
    out_terminator = "\r\n"

    def read_angle(self):
        return self.device.angle
