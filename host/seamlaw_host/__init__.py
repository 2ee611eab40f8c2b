"""Everything that touches the world: enforcement, ledger, approvals, adapters and the command line."""
