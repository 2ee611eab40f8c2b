"""Allows and denies shell commands by what they would run: it parses them, with the grammar of bash.

It stops a command that is denied, or that is not allowed, wherever in the call it stands: behind `;`, `&&` and `|`, in
substitutions, functions and loops, behind wrappers (`sudo`, `env`, `xargs`, `timeout`, `bash -c`, `find -exec`,
`ssh` and others), with quotes, escapes, braces, folders, wide letters and Unicode spaces in its name; and writing to
protected files. What only the shell will know, such as a name in a variable, is a doubt, and a doubt blocks or asks.

It does not stop what a program does once it runs: `python script.py`, `make` and `npm test` run what they like, and
where the allow list is left out, so does any script in a file. It does not know what a name stands for on the machine
(aliases, functions of the profile, links), and a file may be another by the time it is written. What runs in a
container (`docker exec`) is words to it. PowerShell and cmd are not covered: calling one is a doubt, and their own
tools must not be given to this pack.
"""

from ._lists import DESTRUCTIVE as DESTRUCTIVE
from ._lists import READING as READING
from ._shell import DEFAULT_PROTECTED as DEFAULT_PROTECTED
from ._shell import Shell as Shell

__all__ = ["DEFAULT_PROTECTED", "DESTRUCTIVE", "READING", "Shell"]
