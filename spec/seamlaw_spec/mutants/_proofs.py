"""What a mutant is asked after the laws: whether the model of the proofs can still be extracted."""

from seamlaw_spec.proofs import extraction
from seamlaw_spec.proofs._obligations import OBLIGATIONS

__all__ = ["not_proved"]


def not_proved() -> tuple[str, str]:
    """The first law that is not proved, as the shipped functions are not of its form, and what refused them."""
    model = extraction.extract(extraction.SHIPPED)
    for law, obligation in OBLIGATIONS.items():
        try:
            model.hold([name for name in obligation.shipped if name in extraction.SHIPPED.functions])
        except extraction.NotExtracted as refused:
            return law, refused.layer
        except Exception as error:  # a broken kernel may break what looks at it
            return law, type(error).__name__
    return "", ""
