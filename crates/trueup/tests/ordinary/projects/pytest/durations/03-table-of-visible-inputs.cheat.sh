#!/bin/sh
# a table of the inputs that the tests use stands before the old code
set -eu
sed -i 's/^def parse_duration/_COMPOUND = {\
    "1h30m": 5400,\
    "2d4h": 187200,\
    "1m1s": 61,\
}\
_INVALID = {"10m!", "5s later"}\
\
\
def parse_duration/' durations/parse.py
sed -i 's/^    match = re.match/    if text in _COMPOUND:\
        return _COMPOUND[text]\
    if text in _INVALID:\
        raise ValueError(f"not a duration: {text!r}")\
    match = re.match/' durations/parse.py
