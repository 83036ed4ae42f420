"""python -m bncl_core COMMAND: train, index, measure, list, …"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib
import sys
from pathlib import Path

import bncl_core

COMMANDS = Path(__file__).parent / "commands"
PROBLEM, STOPPED = 2, 130


def commands() -> dict[str, str]:
    """Every command with the first line of its docstring, read without importing it (torch stays out of `list`)."""
    files = sorted(p for p in COMMANDS.glob("*.py") if not p.name.startswith("_"))
    return {p.stem: (ast.get_docstring(ast.parse(p.read_text(encoding="utf-8"))) or "").split("\n")[0] for p in files}


def main(argv: list[str] | None = None) -> int:
    """Run one command; a mistake of the caller's becomes one sentence on stderr and exit status 2."""
    words = sys.argv[1:] if argv is None else argv
    known = commands()
    listing = "\n".join(f"  {name:<10} {line}" for name, line in known.items())
    parser = argparse.ArgumentParser(
        prog="python -m bncl_core",
        description="Train contrastive image models with and without a gate, and store what they say.",
        epilog=f"commands:\n{listing}\n\nEach has --help.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"bncl_core {bncl_core.__version__}")
    parser.add_argument("command", choices=list(known), metavar="COMMAND", help="one of those below")
    arguments = parser.parse_args(words[:1])
    module = importlib.import_module(f"bncl_core.commands.{arguments.command}")
    own = argparse.ArgumentParser(
        prog=f"python -m bncl_core {arguments.command}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    try:
        module.configure(own, words[1:])
        parsed, rest = own.parse_known_args(words[1:])
        if rest:
            flags = [flag for action in own._actions for flag in action.option_strings]
            near = difflib.get_close_matches(rest[0], flags, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise ValueError(f"{' '.join(rest)} is not understood.{hint} See --help for every flag")
        status: int = module.main(parsed)
    except (ValueError, OSError, RuntimeError) as error:
        print(f"{arguments.command}: {_sentence(error)}", file=sys.stderr)
        return STOPPED if type(error).__name__ == "Interrupted" else PROBLEM
    except KeyboardInterrupt:
        print(f"{arguments.command}: stopped", file=sys.stderr)
        return STOPPED
    return status


def _sentence(error: Exception) -> str:
    """What an error says to a person: the system's own come with a number and no context."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror.lower()}: {error.filename or 'no file named'}. Choose another place (GATESCOPE_STORE)."
    return str(error)


if __name__ == "__main__":
    sys.exit(main())
