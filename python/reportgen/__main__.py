"""``python -m reportgen`` is the command ``reportgen``."""

import subprocess
import sys

from ._program import find_program

if __name__ == "__main__":
    sys.exit(subprocess.run([find_program(), *sys.argv[1:]], check=False).returncode)
