"""The command line as a module: `python -m seamlaw_host`."""

from seamlaw_host.cli import main

main()
