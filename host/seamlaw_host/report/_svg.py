"""The graph of a ledger as a picture that any browser shows: agents by depth from left to right, then tools."""

from html import escape

from seamlaw_host.cli._screen import fitted

from ._graph import Edge

__all__ = ["as_svg"]

MOST_NODES = 60
WIDTH, HEIGHT, STEP_X, STEP_Y = 170, 28, 290, 46
Node = tuple[bool, str]  # whether it is a tool, and its name


def as_svg(found: list[Edge]) -> str:
    """Draw it; what would not fit is left out, and said."""
    columns = _columns(found)
    places: dict[Node, tuple[int, int]] = {}
    rows = [0] * (max(columns.values(), default=0) + 1)
    for node in list(columns)[:MOST_NODES]:
        column = columns[node]
        places[node] = 10 + column * STEP_X, 10 + rows[column] * STEP_Y
        rows[column] += 1
    if not places:
        return "<p class=dim>nothing was called</p>\n"
    width, height = 20 + len(rows) * STEP_X - (STEP_X - WIDTH), 20 + max(rows) * STEP_Y
    lines = "".join(_line(places, edge) for edge in found)
    boxes = "".join(_box(node, *place) for node, place in places.items())
    left = len(columns) - len(places)
    more = f"<p class=dim>{left} more are left out</p>\n" if left else ""
    size = f'viewBox="0 0 {width} {height}" width="{width}"'
    return f'<svg {size} role="img" aria-label="graph">{lines}{boxes}</svg>\n{more}'


def _columns(found: list[Edge]) -> dict[Node, int]:
    """Put whoever was delegated to right of the first who did, and all tools into the last column."""
    agents: dict[str, int] = {}
    for edge in found:
        agents.setdefault(edge.source, 0)
    for _ in range(8):  # chains are short; a circle, which a ledger can tell of, must end too
        for edge in found:
            if not edge.to_tool and edge.source != edge.target:
                agents[edge.target] = min(max(agents.get(edge.target, 0), agents[edge.source] + 1), 8)
    tools = {edge.target: None for edge in found if edge.to_tool}
    last = max(agents.values(), default=0) + 1
    return {**{(False, name): at for name, at in agents.items()}, **{(True, name): last for name in tools}}


def _line(places: dict[Node, tuple[int, int]], edge: Edge) -> str:
    source, target = places.get((False, edge.source)), places.get((edge.to_tool, edge.target))
    if source is None or target is None:
        return ""
    x1, y1, x2, y2 = source[0] + WIDTH, source[1] + HEIGHT // 2, target[0], target[1] + HEIGHT // 2
    colour = "var(--block)" if edge.blocked else "currentColor"
    bend = f"M{x1},{y1} C{x1 + 50},{y1} {x2 - 50},{y2} {x2},{y2}"
    path = f'<path d="{bend}" fill="none" stroke="{colour}" stroke-opacity=".5"/>'
    label = escape(fitted(edge.label, 60), quote=True)
    middle = f'x="{(x1 + x2) // 2}" y="{(y1 + y2) // 2 - 4}" text-anchor="middle"'
    text = "" if edge.to_tool else f'<text {middle} font-size="10" fill="currentColor">{label}</text>'
    return f"<g><title>{label}</title>{path}{text}</g>"  # the words on every arrow to a tool would cover each other


def _box(node: Node, x: int, y: int) -> str:
    is_tool, name = node
    shape = f'x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="{4 if is_tool else HEIGHT // 2}"'
    label = escape(fitted(name, 16), quote=True)
    middle = f'x="{x + WIDTH // 2}" y="{y + 18}" text-anchor="middle"'
    text = f'<text {middle} font-size="12" fill="currentColor">{label}</text>'
    title = f"<title>{escape(fitted(name, 300), quote=True)}</title>"
    return f'<g>{title}<rect {shape} fill="Canvas" stroke="currentColor"/>{text}</g>'
