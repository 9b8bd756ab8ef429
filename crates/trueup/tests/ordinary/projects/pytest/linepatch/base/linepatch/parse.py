import re

from linepatch.model import Hunk

HEADER = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")


def parse_patch(patch):
    """Return the hunks of a unified patch; what comes before the first is passed over."""
    hunks = []
    for line in patch.splitlines(keepends=True):
        if header := HEADER.match(line):
            hunks.append(Hunk(int(header.group(1))))
        elif hunks and line[0] in " -+":
            if line[0] in " -":
                hunks[-1].old.append(line[1:])
            if line[0] in " +":
                hunks[-1].new.append(line[1:])
    return hunks
