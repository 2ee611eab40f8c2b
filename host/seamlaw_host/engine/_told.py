"""What may be said of an exception: its kind and place in records, its text to the model alone."""

from seamlaw import SeamlawError

__all__ = ["text_of", "told"]


def told(error: BaseException) -> str:
    """Name the kind and the place of an exception, never its text: that may quote a secret."""
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename.replace("\\", "/")
        if "/seamlaw_host/" not in file:
            place = f" at {file.rpartition('/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"raised {type(error).__name__}{place}{_quoted(error)}"


def _quoted(error: BaseException) -> str:
    try:
        return f" ({error})" if isinstance(error, SeamlawError) else ""
    except Exception:  # somebody's own kind, whose text cannot be had
        return ""


def text_of(error: Exception) -> str:
    """What a tool's exception says, as its result would show it; never raises."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return f"{type(error).__name__}: (a text that cannot be shown)"
