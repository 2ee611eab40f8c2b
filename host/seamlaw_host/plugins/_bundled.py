"""The packs that come with Seamlaw, by name.

The same table stands in `pyproject.toml` as entry points, where other programs look. These are found here: to search
what is installed takes longer than most hooks do, and no other distribution can take one of these names.
"""

from collections.abc import Mapping

__all__ = ["BUNDLED"]

BUNDLED: Mapping[str, str] = {
    "audit_log": "seamlaw_packs.audit_log:AuditLog",
    "budget": "seamlaw_host.state:Budget",
    "confirm": "seamlaw_packs.confirm:Confirm",
    "delegate_spawner": "seamlaw_packs.delegate_spawner:DelegateSpawner",
    "delegation_depth": "seamlaw_packs.delegation_depth:DelegationDepth",
    "extension": "seamlaw_host.extensions:Extension",
    "file_security": "seamlaw_packs.file_security:FileSecurity",
    "input_limit": "seamlaw_packs.input_limit:InputLimit",
    "metrics": "seamlaw_packs.metrics:Metrics",
    "network": "seamlaw_packs.network:Network",
    "path_sandbox": "seamlaw_packs.path_sandbox:PathSandbox",
    "plan_gate": "seamlaw_packs.plan_gate:PlanGate",
    "rate_limit": "seamlaw_host.state:RateLimit",
    "redactor": "seamlaw_packs.redactor:RedactorPack",
    "roles": "seamlaw_packs.roles:Roles",
    "secrets_in_args": "seamlaw_packs.secrets_in_args:SecretsInArgs",
    "shell": "seamlaw_packs.shell:Shell",
    "sql": "seamlaw_packs.sql:Sql",
    "token_budget": "seamlaw_host.state:TokenBudget",
    "token_limit": "seamlaw_host.state:TokenLimit",
    "tool_aliases": "seamlaw_packs.tool_aliases:ToolAliases",
    "trust": "seamlaw_packs.trust:Trust",
}
