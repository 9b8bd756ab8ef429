from linepatch.parse import parse_patch


def apply(text, patch):
    """Return the text with the hunks of the patch put in."""
    lines = text.splitlines(keepends=True)
    for hunk in parse_patch(patch):
        begin = hunk.start - 1
        lines[begin : begin + len(hunk.old)] = hunk.new
    return "".join(lines)
