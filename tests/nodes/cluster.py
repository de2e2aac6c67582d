"""Two machines on this one: network namespaces joined by a cable, each with a host name of its own.

with Cluster(private) as cluster: cluster.mpirun([...options], [...command])
The second machine does not see the folder `private`: there it is empty. Needs root; without the rights to
make namespaces the constructor raises Unable.
"""

import os
import pathlib
import shutil
import stat
import subprocess
import tempfile

AGENT = """#!/bin/bash
# agent HOST COMMAND…: what ssh would do
host=$1; shift
case $host in
  {first}) exec ip netns exec {name}a unshare --uts bash -c "hostname {name}a; $*" ;;
  {second}) exec ip netns exec {name}b unshare --uts --mount bash -c \\
    "hostname {name}b; mount -t tmpfs none '{private}'; $*" ;;
esac
echo "unknown host $host" >&2
exit 1
"""


class Unable(Exception):
    pass


class Cluster:
    first, second = "10.77.0.1", "10.77.0.2"

    def __init__(self, mpirun, private):
        self.name = f"fdg{os.getpid()}"
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.agent = self.folder / "agent"
        self.mpi = [mpirun, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--map-by", "node",
                    "--mca", "coll", "^han,cuda", "--prtemca", "plm_ssh_agent", str(self.agent),
                    "--host", f"{self.first}:8,{self.second}:8"]
        self.agent.write_text(AGENT.format(first=self.first, second=self.second, name=self.name, private=private))
        self.agent.chmod(self.agent.stat().st_mode | stat.S_IXUSR)

    def __enter__(self):
        a, b = self.name + "a", self.name + "b"
        steps = [["netns", "add", a], ["netns", "add", b],
                 ["link", "add", "cable", "netns", a, "type", "veth", "peer", "name", "cable", "netns", b]]
        for namespace, address in ((a, self.first), (b, self.second)):
            steps += [["-n", namespace, "addr", "add", address + "/24", "dev", "cable"],
                      ["-n", namespace, "link", "set", "lo", "up"], ["-n", namespace, "link", "set", "cable", "up"]]
        for step in steps:
            try:
                done = subprocess.run(["ip", *step], capture_output=True, text=True, check=False)
            except FileNotFoundError as missing:
                raise Unable("no ip (iproute2)") from missing
            if done.returncode != 0:
                self.__exit__()
                raise Unable(f"ip {' '.join(step)}: {done.stderr.strip()}")
        return self

    def __exit__(self, *_):
        for namespace in ("a", "b"):
            subprocess.run(["ip", "netns", "delete", self.name + namespace], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, ranks, program):
        """The call that runs `program` on so many ranks, alternating between the machines."""
        return [str(self.agent), self.first, "exec", *map(quoted, [*self.mpi, "-n", ranks, *program])]


def quoted(word):
    return "'" + str(word).replace("'", "'\\''") + "'"
