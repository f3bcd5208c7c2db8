"""One session of Spark for all tests of the engines: it takes a JVM and half a minute to start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "3",
    "spark.sql.adaptive.enabled": "false",  # small tables: planning again costs more than it saves
    "spark.driver.memory": "2g",
}


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    pytest.importorskip("pyspark")
    from simhash_core.engines.spark import session

    made = session("local[2]", settings=SETTINGS)
    made.sparkContext.setLogLevel("ERROR")
    yield made
    made.stop()
