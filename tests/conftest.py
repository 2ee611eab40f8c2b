"""What holds for all tests."""

from hypothesis import settings

# A slow machine is no failure; timing has its own place.
settings.register_profile("seamlaw", deadline=None, print_blob=True)
settings.load_profile("seamlaw")
