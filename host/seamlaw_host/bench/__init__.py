"""What a policy costs on this machine: measured in pairs with a floor, so that the figures can be compared."""

from ._compare import Regression as Regression
from ._compare import Unreadable as Unreadable
from ._compare import as_data as as_data
from ._compare import better as better
from ._compare import compared as compared
from ._compare import read as read
from ._measure import PartCost as PartCost
from ._measure import Report as Report
from ._measure import SeamCost as SeamCost
from ._measure import measure as measure
from ._paired import Cost as Cost
from ._paired import Pairing as Pairing
from ._paired import Work as Work
from ._paired import calling as calling
from ._paired import paired as paired
from ._paired import undisturbed as undisturbed
from ._samples import Given as Given
from ._samples import of_session as of_session
from ._samples import samples as samples

__all__ = [
    "Cost",
    "Given",
    "Pairing",
    "PartCost",
    "Regression",
    "Report",
    "SeamCost",
    "Unreadable",
    "Work",
    "as_data",
    "better",
    "calling",
    "compared",
    "measure",
    "of_session",
    "paired",
    "read",
    "samples",
    "undisturbed",
]
