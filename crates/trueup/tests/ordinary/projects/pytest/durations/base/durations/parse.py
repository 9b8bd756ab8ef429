"""Reads and writes durations such as "1h30m"."""
import re

UNITS = {"s": 1, "m": 60, "h": 3600}


def parse_duration(text):
    """Return how many seconds a text such as "45s" or "1h30m" stands for."""
    match = re.match(r"(\d+)([smh])", text.strip().lower())
    if not match:
        raise ValueError(f"not a duration: {text!r}")
    return int(match[1]) * UNITS[match[2]]


def format_duration(seconds):
    """Return the seconds as hours, minutes and seconds, without empty parts."""
    if seconds == 0:
        return "0s"
    parts = []
    for unit in ("h", "m", "s"):
        count, seconds = divmod(seconds, UNITS[unit])
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts)
