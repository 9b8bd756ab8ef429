from linepatch.parse import parse_patch


def stat(patch):
    """Return such a line as "2 hunks, 5 lines to find, 6 lines after"."""
    hunks = parse_patch(patch)
    old = sum(len(hunk.old) for hunk in hunks)
    new = sum(len(hunk.new) for hunk in hunks)
    return f"{len(hunks)} hunks, {old} lines to find, {new} lines after"
