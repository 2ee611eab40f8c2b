"""pluggy: the plugin system of pytest; `firstresult`, so that the first who objects ends the call."""

from collections.abc import Callable
from typing import Any

import pluggy

from ._peer import Peer, text

spec, implement = pluggy.HookspecMarker("agent"), pluggy.HookimplMarker("agent")


class Spec:
    @spec(firstresult=True)
    def tool_call(self, arguments: Any) -> object:
        """Object, or say nothing."""


def plugin(forbidden: str) -> object:
    class Plugin:
        @implement
        def tool_call(self, arguments: Any) -> object:
            return False if forbidden in arguments["command"] else None

    return Plugin()


def build(count: int) -> Callable[[Any], bool]:
    manager = pluggy.PluginManager("agent")
    manager.add_hookspecs(Spec)
    for number in range(count):
        manager.register(plugin(text(number)))
    hook = manager.hook.tool_call
    return lambda arguments: hook(arguments=arguments) is None


PEERS = (Peer("pluggy", build, "pluggy", does="calls the checks; nothing is typed or recorded"),)
