"""Fingerprints of other programs, bit for bit: a family, one file a program."""

from .classic import CLASSIC
from .lyq import LYQ
from .profile import Profile
from .pypi import PYPI
from .sing1ee import SING1EE
from .yanyiwu import YANYIWU

PROFILES: dict[str, Profile] = {
    profile.name: profile for profile in (CLASSIC, LYQ, PYPI, SING1EE, YANYIWU)
}

__all__ = ["PROFILES", "Profile"]
