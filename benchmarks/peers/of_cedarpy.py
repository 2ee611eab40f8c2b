"""Cedar, in Rust: policies parsed once, a `forbid` for each check. A request goes over as JSON each time."""

from collections.abc import Callable
from typing import Any

import cedarpy

from ._peer import TOOL, Peer, text


def build(count: int) -> Callable[[Any], bool]:
    forbidden = [
        f'forbid(principal, action, resource) when {{ context.command like "*{text(n)}*" }};' for n in range(count)
    ]
    policies = cedarpy.PolicySet.from_str("\n".join(["permit(principal, action, resource);", *forbidden]))
    entities = cedarpy.Entities.from_json_str("[]")

    def decide(arguments: Any) -> bool:
        request = {
            "principal": 'Agent::"main"',
            "action": f'Action::"{TOOL}"',
            "resource": 'Host::"here"',
            "context": arguments,
        }
        return bool(cedarpy.is_authorized(request, policies, entities).allowed)

    return decide


PEERS = (Peer("cedarpy, pre-parsed", build, "cedarpy", does="sends the call to Rust as JSON, decides"),)
