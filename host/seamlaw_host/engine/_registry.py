"""Who the agents are: their roles, their trust, and whom they work for."""

from collections.abc import Iterable, Mapping

from attrs import evolve, field, frozen

from seamlaw import Scope
from seamlaw_host.errors import HostError

__all__ = ["Agent", "Registry", "UnknownAgent", "acting"]


class UnknownAgent(HostError, LookupError):
    """An agent that the registry does not know."""


def _names(given: Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


@frozen
class Agent:
    """An agent: its role and trust, and the agents that delegate to it, from the first."""

    name: str
    role: str | None = None
    trust: str | None = None
    ancestors: tuple[str, ...] = field(default=(), converter=_names, kw_only=True)


def _by_name(given: Iterable[Agent]) -> Mapping[str, Agent]:
    agents = {agent.name: agent for agent in given}
    for agent in agents.values():
        if unknown := [name for name in agent.ancestors if name not in agents]:
            raise UnknownAgent(f"{agent.name} is said to work for {unknown[0]}, whom the registry does not know")
        if agent.name in agent.ancestors:
            raise HostError(f"{agent.name} is said to work for itself")
    return agents


@frozen
class Registry:
    """All agents by name; immutable, so that nobody gains a role while a call is decided."""

    agents: Mapping[str, Agent] = field(converter=_by_name)

    def get(self, name: str) -> Agent:
        """Look up an agent; raises `UnknownAgent`, naming the known ones."""
        try:
            return self.agents[name]
        except KeyError:
            known = ", ".join(self.agents) or "none"
            raise UnknownAgent(f"no agent is called {name!r}; the registry knows {known}") from None


def acting(caller: Scope, name: str | None, registry: Registry | None) -> Scope:
    """The scope in which an agent acts, called from another: a nested agent inherits, and cannot shed, its chain.

    Session and domain are inherited; role and trust are the agent's own, never its caller's. An agent that nobody
    knows has no role, so that policies for roles apply to it.
    """
    acts = caller.agent if name is None else name
    known = registry.agents.get(acts) if registry is not None and acts is not None else None
    if acts is None or (acts == caller.agent and known is None):
        return caller
    if acts == caller.agent and known is not None:  # whatever a session claims of an agent that is known
        return evolve(caller, role=known.role, trust=known.trust)
    agent = known or Agent(acts)
    above = caller.chain or ((caller.agent,) if caller.agent else agent.ancestors)
    return evolve(caller, agent=acts, role=agent.role, trust=agent.trust, chain=(*above, acts))
