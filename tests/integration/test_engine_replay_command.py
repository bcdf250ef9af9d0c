"""The replay as a person runs it: its own process, on a terminal or not."""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

HANDS = Path(__file__).parents[1] / "golden" / "data" / "replay" / "hands.jsonl"
COMMAND = [sys.executable, "-m", "services.engine.replay"]


def on_a_terminal(*arguments: str) -> tuple[int, str, str]:
    """Run the command with its standard error on a terminal; returns status, output, screen."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with (
        os.fdopen(ours, "rb", buffering=0) as screen,
        subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=theirs) as process,
    ):
        os.close(theirs)
        shown = b""
        try:
            while chunk := screen.read(4096):
                shown += chunk
        except OSError:
            pass  # Linux reports the end of a terminal so
        output, _ = process.communicate(timeout=60)
    return process.returncode, output.decode(), shown.decode()


def test_a_terminal_shows_progress_beside_the_counts() -> None:
    status, output, screen = on_a_terminal(str(HANDS))
    assert status == 0
    assert json.loads(output)["mismatches"] == 0
    assert "replay: 100%" in screen


def test_without_a_terminal_there_is_only_the_line_of_counts() -> None:
    done = subprocess.run(
        [*COMMAND, str(HANDS)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    assert json.loads(done.stdout)["replayed"] == 26


def test_unreadable_input_is_named_without_a_traceback(tmp_path: Path) -> None:
    broken = tmp_path / "hands.jsonl"
    broken.write_text(HANDS.read_text() + "{\n")
    done = subprocess.run(
        [*COMMAND, str(broken)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"{broken}:33: ")
    assert "Traceback" not in done.stderr
