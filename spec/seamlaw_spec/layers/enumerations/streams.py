"""The alphabet of answers, and parts of bundles."""

from seamlaw_spec.bundles import Part, Slot
from seamlaw_spec.domains import Heard, Said
from seamlaw_spec.layers._sizes import flat

from ._lookup import register

ALPHABET = tuple(  # only a replacement has a number that counts
    Heard(said, number) for said in Said for number in ((0, 1, 2) if said is Said.REPLACE else (0,))
)
CHOOSE = tuple(slot for slot in Slot if slot not in (Slot.HANDLERS, Slot.FILLS, Slot.JUDGES))

register(Heard, flat(ALPHABET))
register(Part, flat([*(Part(slot) for slot in Slot), *(Part(slot, True) for slot in CHOOSE)]))
