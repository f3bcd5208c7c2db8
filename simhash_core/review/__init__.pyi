from .cases import STATES as STATES
from .cases import Case as Case
from .cases import cases as cases
from .cases import counts as counts
from .cases import remaining_seconds as remaining_seconds
from .query import Query as Query
from .query import parse as parse
