from invoice.money import format_money, tax_of

WIDTH = 30


def _row(label, cents):
    return label.ljust(WIDTH - 10) + format_money(cents).rjust(10)


def render(lines, percent):
    """Return an invoice; each line is (label, count, price in cents)."""
    rows = [_row(f"{count} x {label}", count * price) for label, count, price in lines]
    net = sum(count * price for _, count, price in lines)
    tax = tax_of(net, percent)
    rows += ["-" * WIDTH, _row("Net", net), _row("VAT", tax), _row("Total", net + tax)]
    return "\n".join(rows) + "\n"
