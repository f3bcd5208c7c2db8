from .csv import pairs_csv as pairs_csv
from .json import to_json as to_json
