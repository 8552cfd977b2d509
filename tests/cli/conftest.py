"""Shared by the tests of the command line and of languages."""

from tests.base.conftest import pseudo_language as pseudo_language
from tests.base.conftest import speak as speak
