"""The bucket store against a real Redis server, started for the test."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hamming_judge import skewed, uniform

from simhash_core.lab.museum.buckets import Near, RedisBuckets, connect
from simhash_core.model import U64

redis = pytest.importorskip("redis", reason="the extra `redis` is not installed")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[redis.Redis]:
    binary = shutil.which("redis-server")
    if not binary:
        pytest.skip("no redis-server on this machine")
    folder: Path = tmp_path_factory.mktemp("redis")
    socket = folder / "s"
    command = [binary, "--port", "0", "--unixsocket", str(socket), "--dir", str(folder)]
    quiet = ["--save", "", "--appendonly", "no", "--daemonize", "no"]
    with subprocess.Popen([*command, *quiet], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for line in process.stdout:
            if "eady to accept connections" in line:
                break
        client = redis.Redis(unix_socket_path=str(socket))
        yield client
        client.close()
        process.terminate()


def test_connect_opens_a_store_by_its_address(server: redis.Redis) -> None:
    path = server.connection_pool.connection_kwargs["path"]
    store = connect(f"unix://{path}", name="opened")
    store.add(["a"], np.array([1], np.uint64))
    assert store.near(np.array([3], np.uint64)) == [[Near("a", 1)]]


@pytest.fixture
def store(server: redis.Redis) -> Iterator[RedisBuckets]:
    server.flushdb()
    yield RedisBuckets(server, name="test")


def found(store: RedisBuckets, words: U64, k: int) -> set[tuple[int, int, int]]:
    return {
        (row, int(near.id), near.distance)
        for row, hits in enumerate(store.near(words[:, 0], k=k))
        for near in hits
        if int(near.id) > row
    }


def brute(words: U64, k: int) -> set[tuple[int, int, int]]:
    distance = np.bitwise_count(words ^ words[:, 0])
    left, right = np.nonzero(np.triu(distance <= k, 1))
    return set(zip(left.tolist(), right.tolist(), distance[left, right].tolist(), strict=True))


@pytest.mark.parametrize("make", [uniform, skewed])
def test_store_gives_the_pairs_of_brute_force(store: RedisBuckets, make) -> None:
    words = make(1500, 64, 2)
    store.add([str(row) for row in range(len(words))], words[:, 0])
    for k in (0, 3):
        assert found(store, words, k) == brute(words, k)


def test_the_same_document_is_stored_once(store: RedisBuckets) -> None:
    word = np.array([7], np.uint64)
    for name in "aab":
        store.add([name], word)
    assert [near.id for near in store.near(word)[0]] == ["a", "b"]


def test_collections_of_other_names_do_not_meet(store: RedisBuckets, server: redis.Redis) -> None:
    word = np.array([7], np.uint64)
    store.add(["a"], word)
    assert RedisBuckets(server, name="elsewhere").near(word) == [[]]
    with pytest.raises(ValueError, match="exact to 3"):
        store.near(word, k=4)
