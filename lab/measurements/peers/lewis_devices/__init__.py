"""Devices for lewis."""
