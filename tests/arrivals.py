"""People who have signed in at a server."""

from __future__ import annotations

from simhash_core.server import department
from simhash_core.storage import owner_folder

ISSUER = "https://login.school.example"


def arrived(subject: str, name: str, address: str = "") -> department.Person:
    """Let somebody sign in who stores a text."""
    owner = department.owner_of(ISSUER, subject)
    department.note_person(owner, name, address=address, issuer=ISSUER)
    owner_folder(owner).mkdir(parents=True, exist_ok=True)
    person = department.person_of(owner)
    assert person is not None
    return person
