"""What tests of the other pages use."""

from tests.pages.conftest import language, open_app, result

__all__ = ["language", "open_app", "result"]
