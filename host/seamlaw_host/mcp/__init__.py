"""A proxy in front of any MCP server: its tools are called only as a policy decides."""

from ._exchange import Caller as Caller
from ._http import proxy_http as proxy_http
from ._stdio import proxy_stdio as proxy_stdio

__all__ = ["Caller", "proxy_http", "proxy_stdio"]
