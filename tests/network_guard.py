"""A guard around a program and all that it starts: what is no loopback is refused and written down.

Loaded before the C library (`LD_PRELOAD`), it sees native code and isolated interpreters as well,
which no hook of Python does.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from simhash_core.machine.building import compiler

_SOURCE = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(const char *what, const char *whom) {
    char line[512];
    int length = snprintf(line, sizeof line, "%s %s\n", what, whom);
    int log = open(LOG, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log >= 0 && write(log, line, (size_t)length) >= 0) close(log);
}

static int refused(const char *what, const struct sockaddr *to) {
    char whom[INET6_ADDRSTRLEN] = "";
    if (to == NULL || (to->sa_family != AF_INET && to->sa_family != AF_INET6)) return 0;
    const void *place = to->sa_family == AF_INET
        ? (const void *)&((const struct sockaddr_in *)to)->sin_addr
        : (const void *)&((const struct sockaddr_in6 *)to)->sin6_addr;
    inet_ntop(to->sa_family, place, whom, sizeof whom);
    if (!strncmp(whom, "127.", 4) || !strcmp(whom, "::1")) return 0;
    if (!strncmp(whom, "::ffff:127.", 11)) return 0;
    note(what, whom);
    errno = ENETUNREACH;
    return 1;
}

#define NEXT(name) static __typeof__(name) *next; if (!next) next = dlsym(RTLD_NEXT, #name)

int connect(int s, const struct sockaddr *to, socklen_t n) {
    NEXT(connect);
    return refused("connect", to) ? -1 : next(s, to, n);
}
ssize_t sendto(int s, const void *b, size_t n, int f, const struct sockaddr *to, socklen_t m) {
    NEXT(sendto);
    return refused("sendto", to) ? -1 : next(s, b, n, f, to, m);
}
ssize_t sendmsg(int s, const struct msghdr *m, int f) {
    NEXT(sendmsg);
    return refused("sendmsg", m->msg_name) ? -1 : next(s, m, f);
}
int sendmmsg(int s, struct mmsghdr *m, unsigned int n, int f) {
    NEXT(sendmmsg);
    for (unsigned int i = 0; i < n; i++)
        if (refused("sendmmsg", m[i].msg_hdr.msg_name)) return -1;
    return next(s, m, n, f);
}
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
    NEXT(getaddrinfo);
    struct in6_addr number;
    if (name && *name && strcmp(name, "localhost") && inet_pton(AF_INET, name, &number) != 1
            && inet_pton(AF_INET6, name, &number) != 1) {
        note("getaddrinfo", name);
        return EAI_FAIL;
    }
    return next(name, service, hints, found);
}
"""


@dataclass(frozen=True, slots=True)
class Guard:
    """`environment` of a program that is to be watched, and what it tried."""

    library: Path
    log: Path
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment with the guard, and a home in which nothing is."""
        plain = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        places = {"HOME": str(self.home), "LEITONG_CACHE": str(self.home / "cache")}
        return {**plain, **places, "LD_PRELOAD": str(self.library)}

    def tried(self) -> list[str]:
        """Return each call that was refused, and whom it meant."""
        return self.log.read_text("utf-8").splitlines() if self.log.exists() else []


def build_guard(folder: Path) -> Guard:
    """Compile the guard; skip the test where that cannot be done."""
    command = compiler()
    if sys.platform != "linux" or command is None:
        pytest.skip("needs Linux and a compiler of C")
    guard = Guard(folder / "guard.so", folder / "tried.txt", folder / "home")
    source = folder / "guard.c"
    source.write_text(_SOURCE, "utf-8")
    guard.home.mkdir()
    define = f'-DLOG="{guard.log}"'
    subprocess.run(
        [*command, "-shared", "-fPIC", "-O1", define, "-o", guard.library, source, "-ldl"],
        check=True,
    )
    return guard
