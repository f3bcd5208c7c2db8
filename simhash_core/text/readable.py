"""The loops of this room as they are read: what runs where none of C are built."""

from __future__ import annotations

from ..machine.ranges import *
from .classes import count_characters as count_characters
from .flat import *
