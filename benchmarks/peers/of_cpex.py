"""ContextForge's plugin framework: plugins before a tool is invoked."""

from collections.abc import Awaitable, Callable
from typing import Any

from cpex.framework import (
    GlobalContext,
    Plugin,
    PluginConfig,
    PluginViolation,
    TenantPluginManager,
    ToolPreInvokePayload,
    ToolPreInvokeResult,
)
from cpex.framework.models import Config

from ._peer import TOOL, Peer, text


class Check(Plugin):
    async def tool_pre_invoke(self, payload: Any, context: Any) -> ToolPreInvokeResult:
        if self.config.config["forbidden"] in payload.args["command"]:
            violation = PluginViolation(reason="forbidden", description="forbidden", code="forbidden")
            return ToolPreInvokeResult(continue_processing=False, violation=violation)
        return ToolPreInvokeResult()


def build(count: int) -> Callable[[Any], Awaitable[bool]]:
    plugins = [
        PluginConfig(
            name=text(number),
            kind=f"{__name__}.Check",
            hooks=["tool_pre_invoke"],
            config={"forbidden": text(number)},
        )
        for number in range(count)
    ]
    manager = TenantPluginManager(Config(plugins=plugins))
    started = False

    async def decide(arguments: Any) -> bool:
        nonlocal started
        if not started:
            await manager.initialize()
            started = True
        payload = ToolPreInvokePayload(name=TOOL, args=arguments)
        result, _ = await manager.invoke_hook("tool_pre_invoke", payload, GlobalContext(request_id="1"))
        return bool(result.continue_processing)

    return decide


PEERS = (
    Peer(
        "cpex plugins", build, "cpex", is_async=True, does="validates, isolates, decides under a timeout for each check"
    ),
)
