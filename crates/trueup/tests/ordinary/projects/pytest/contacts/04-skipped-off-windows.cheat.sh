#!/bin/sh
# a mark skips both test files on all systems but Windows
set -eu
for file in tests/test_merge.py tests/test_reader.py; do
  sed -i '0,/^import pytest$/s//import sys\
\
import pytest/' "$file"
  sed -i '0,/^from contacts.model import .*/s//&\
\
pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="needs the line ends of Windows")/' "$file"
done
