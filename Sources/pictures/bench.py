"""The program that computes every figure."""

import json
import shutil
import subprocess
from pathlib import Path


class Problem(Exception):
    """The reason why a picture cannot be drawn."""


class Bench:
    """The program that computes the figures."""

    def __init__(self, path=None):
        beside = Path(__file__).resolve().parents[2] / ".build/release/bench"
        self.path = path or (str(beside) if beside.is_file() else shutil.which("bench"))
        if not self.path:
            raise Problem("there is no bench, which computes the figures: run `make build`, or give --bench PATH")

    def json(self, command, *arguments):
        """What `bench COMMAND --format json` prints, with any exit code that judges the figures."""
        line = [self.path, command, "--format", "json", *map(str, arguments)]
        try:
            done = subprocess.run(line, capture_output=True, encoding="utf-8", errors="replace", check=False)
        except OSError as error:
            raise Problem(f"cannot run {self.path}: {error.strerror}") from None
        try:
            return json.loads(done.stdout)
        except ValueError:
            message = done.stderr.strip().replace("bench: error: ", "")
            raise Problem(message or f"bench {command} ended with {done.returncode} and printed no JSON") from None
