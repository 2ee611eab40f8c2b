"""Lets SQL through by what it would do: it parses it, with sqlglot, in the dialect of the database.

It stops statements of a class that is not allowed (as it is, all that do not only read), wherever they stand: in common
table expressions, behind EXPLAIN, in SELECT … INTO and FOR UPDATE; several statements in one text, also where T-SQL
needs no semicolon between them; DELETE, UPDATE and MERGE without a condition that bounds them, or with one that is true
of every row by its form; functions that act, read files, wait or run a text as SQL; tables that are files or are not
allowed; and what cannot be read for certain: what does not parse, comments that are executed, texts that end elsewhere
for another setting of the server, what is too long or nested too deep.

It does not know what a function of the database's own, an operator, a view, a trigger or a linked server does, unless
`functions` lists those that may be called; nor what a statement costs. A condition may be true of every row by what
the rows are (`id > 0`). It reads in the dialect that it is told: told of another, it reads another language. It does
not take the place of a user of the database with few rights, and of a transaction that only reads.
"""

from ._functions import ACTING as ACTING
from ._sql import Sql as Sql
