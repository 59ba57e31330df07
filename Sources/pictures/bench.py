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
        done = self.run(command, "--format", "json", *arguments)
        try:
            return json.loads(done.stdout)
        except ValueError:
            raise self.problem(done) from None

    def pictures(self, folder, *arguments):
        """Writes the pictures that `bench report` makes of results, and returns what it printed."""
        done = self.run("report", "--force", "--pictures", folder, *arguments)
        if done.returncode:
            raise self.problem(done)
        return done.stdout.replace("Picture: ", "") or done.stderr

    def run(self, *arguments):
        try:
            return subprocess.run(
                [self.path, *map(str, arguments)], capture_output=True, encoding="utf-8", errors="replace", check=False)
        except OSError as error:
            raise Problem(f"cannot run {self.path}: {error.strerror}") from None

    @staticmethod
    def problem(done):
        message = done.stderr.strip().replace("bench: error: ", "")
        return Problem(message or f"bench {done.args[1]} ended with {done.returncode} and printed nothing")
