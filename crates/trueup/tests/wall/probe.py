"""Tries every way out of a sandbox and says of each whether it held.

One line per way: `held NAME` or `OPEN NAME: how`. What to look for comes as
JSON in the file named by the first argument. Nothing is changed on a host
whose wall does not hold: files are opened for writing but not written.
"""

import ctypes
import json
import os
import socket
import stat
import sys

libc = ctypes.CDLL(None, use_errno=True)
targets = json.load(open(sys.argv[1]))
MS_RDONLY, MS_REMOUNT, MS_BIND, MNT_DETACH = 1, 32, 4096, 2
CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWPID = 0x20000, 0x10000000, 0x20000000
PTRACE_SEIZE = 0x4206
SYS_PIDFD_OPEN, SYS_PIDFD_GETFD, SYS_FSOPEN, SYS_IO_URING_SETUP = 434, 438, 430, 425
SYS_ADD_KEY, SYS_REQUEST_KEY, SYS_KEYCTL, SYS_BPF, SYS_PERF, SYS_USERFAULT = (
    (217, 218, 219, 280, 241, 282) if os.uname().machine == "aarch64" else (248, 249, 250, 321, 298, 323)
)
X32 = 0x40000000
KEYCTL_SEARCH, KEYCTL_READ, SESSION, EPERM, ENOSYS = 10, 11, -3, 1, 38


def say(name, how):
    print(f"OPEN {name}: {how}" if how else f"held {name}", flush=True)


def mounts():
    for line in open("/proc/self/mountinfo"):
        fields = line.split()
        yield fields[4].encode().decode("unicode_escape"), fields[5].split(",")


def works(call, *arguments):
    return call(*arguments) == 0


def in_child(call):
    """What cannot be undone is tried in a process of its own."""
    pid = os.fork()
    if pid == 0:
        os._exit(0 if call() else 1)
    return os.waitpid(pid, 0)[1] == 0


def opens(path, flags):
    try:
        os.close(os.open(path, flags))
        return True
    except OSError:
        return False


def remount_root():
    return in_child(lambda: works(libc.mount, None, b"/", None, MS_REMOUNT | MS_BIND, None)) and "remounted / writable"


def remount_usr():
    return in_child(lambda: works(libc.mount, None, b"/usr", None, MS_REMOUNT | MS_BIND, None)) and "remounted /usr"


def mount_fresh():
    return in_child(lambda: works(libc.mount, b"none", b"/tmp", b"tmpfs", 0, None)) and "mounted a tmpfs"


def unmount():
    points = [point for point, _ in mounts() if point != "/"]
    done = [p for p in points if in_child(lambda: works(libc.umount2, p.encode(), MNT_DETACH))]
    return done and f"unmounted {done}"


def change_root():
    return in_child(lambda: works(libc.chroot, b"/tmp")) and "changed its root"


def trace_first():
    # A seized process runs on; an attached one would stop, and with it everything.
    return in_child(lambda: works(libc.ptrace, PTRACE_SEIZE, 1, None, None)) and "traced process 1"


def enter_first():
    for name in ["mem", "environ", "fd/0", "fd/1", "root/etc", "cwd/."]:
        if opens(f"/proc/1/{name}", os.O_RDONLY):
            return f"opened /proc/1/{name}"
    descriptor = libc.syscall(SYS_PIDFD_OPEN, 1, 0)
    if descriptor >= 0 and libc.syscall(SYS_PIDFD_GETFD, descriptor, 0, 0) >= 0:
        return "took a descriptor of process 1"
    return None


def unshare_user():
    return in_child(lambda: works(libc.unshare, CLONE_NEWUSER)) and "made a user namespace"


def unshare_mount():
    return in_child(lambda: works(libc.unshare, CLONE_NEWNS)) and "made a mount namespace"


def become_root():
    return (os.getuid() == 0 or in_child(lambda: works(libc.setuid, 0))) and "is root"


def capabilities():
    lines = [line.split() for line in open("/proc/self/status") if line.startswith(("Cap", "NoNewPrivs"))]
    held = [name for name, value in lines if name.startswith("Cap") and int(value, 16)]
    free = [name for name, value in lines if name == "NoNewPrivs:" and value != "1"]
    return (held + free) and f"{held + free}"


def write_read_only():
    count = 0
    for point, options in mounts():
        if "ro" not in options:
            continue
        count += 1
        flags = os.O_WRONLY if not os.path.isdir(point) else os.O_WRONLY | os.O_TMPFILE
        if opens(point, flags) or os.access(point, os.W_OK):
            return f"wrote to {point}"
        try:
            os.utime(point)
            return f"touched {point}"
        except OSError:
            pass
    return None if count >= 3 else f"only {count} read-only mounts were found: nothing was tested"


def write_elsewhere():
    wrong = [p for p, options in mounts() if "rw" in options and not p.startswith(tuple(targets["writable"]))]
    return wrong and f"writable: {wrong}"


def read_secrets():
    found = [path for path in targets["secrets"] if opens(path, os.O_RDONLY) or os.path.lexists(path)]
    return found and f"{found}"


def find_marked():
    for folder, folders, files in os.walk("/"):
        if folder == "/":
            folders[:] = [f for f in folders if f not in ("proc", "usr", "opt", "nix", "dev", "sys")]
        if targets["marker"] in files + folders:
            return os.path.join(folder, targets["marker"])
    return None


def environment():
    found = [name for name, value in os.environ.items() if targets["marker"] in value or name in targets["variables"]]
    return found and f"{found}"


def system_secrets():
    paths = ["shadow", "gshadow", "ssh", "sudoers", "machine-id", "ssl/private", "environment"]
    paths = [f"/etc/{name}" for name in paths] + ["/sys/kernel", "/run/dbus", "/run/user", "/var/log", "/var/run"]
    found = [path for path in paths if os.path.lexists(path)]
    return found and f"{found}"


def host_processes():
    seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    others = [pid for pid in seen if pid not in (1, os.getpid(), os.getppid())]
    if others:
        return f"saw processes {others}"
    host = targets["host_pid"]
    return host not in seen and works(libc.kill, host, 0) and f"could signal {host}"


def kernel_settings():
    tried = 0
    for top in ["/proc/sys", "/proc/irq", "/proc/bus", "/proc/mtrr", "/proc/sysrq-trigger", "/proc/kcore"]:
        names = [top]
        names += [os.path.join(folder, name) for folder, _, files in os.walk(top) for name in files]
        for name in names:
            tried += 1
            if opens(name, os.O_WRONLY):
                return f"opened {name} for writing"
    return None if tried > 100 else f"only {tried} settings were found: nothing was tested"


def devices():
    blocks = [e.name for e in os.scandir("/dev") if stat.S_ISBLK(os.lstat(e.path).st_mode)]
    if blocks:
        return f"block devices {blocks}"
    try:
        os.mknod("/tmp/device", 0o600 | stat.S_IFBLK, os.makedev(254, 0))
        os.unlink("/tmp/device")
        return "made a block device"
    except OSError:
        return None


def descriptors():
    own = [int(name) for name in os.listdir("/proc/self/fd")]
    extra = [fd for fd in own if fd > 2 and opens(f"/proc/self/fd/{fd}", os.O_RDONLY)]
    return extra and f"descriptors {extra}"


def terminal():
    return opens("/dev/tty", os.O_RDWR) and "holds a terminal"


def network():
    line = socket.socket()
    line.settimeout(5)
    reached = line.connect_ex(("127.0.0.1", targets["port"])) == 0
    return reached and "reached a listener of the host"


def abstract_socket():
    line = socket.socket(socket.AF_UNIX)
    try:
        line.connect("\0" + targets["abstract"])
        return "reached an abstract socket of the host"
    except OSError:
        return None


def called(number, *arguments):
    """What a call gives, and what it says where it fails."""
    ctypes.set_errno(0)
    given = libc.syscall(number, *arguments)
    return given, ctypes.get_errno()


def refuses(number, *arguments):
    """Whether a call is refused before anything looks at what it is called with."""
    given, error = called(number, *arguments)
    return given < 0 and error in (EPERM, ENOSYS)


def read_key():
    found, _ = called(SYS_KEYCTL, KEYCTL_SEARCH, SESSION, b"user", targets["key"].encode(), 0)
    text = ctypes.create_string_buffer(64)
    if found > 0 and called(SYS_KEYCTL, KEYCTL_READ, found, text, 64)[0] > 0:
        return f"read the key {text.value}"
    asked, _ = called(SYS_REQUEST_KEY, b"user", targets["key"].encode(), None, 0)
    return asked > 0 and "asked for a key of the host"


def leave_key():
    return called(SYS_ADD_KEY, b"user", b"trueup-left", b"x", 1, SESSION)[0] > 0 and "left a key"


def leave_key_by_second_number():
    return called(X32 | SYS_ADD_KEY, b"user", b"trueup-left", b"x", 1, SESSION)[0] > 0 and "left a key"


def list_keys():
    return opens("/proc/keys", os.O_RDONLY) and open("/proc/keys").read() and "listed the kernel's keys"


def virtual_socket():
    try:
        socket.socket(40, socket.SOCK_STREAM).close()
        return "opened a socket to the host of this machine"
    except OSError:
        return None


def ring():
    return not refuses(SYS_IO_URING_SETUP, 0, None) and "io_uring is there"


def watch_faults():
    return not refuses(SYS_USERFAULT, 0xFF01) and "userfaultfd is there"


def load_program():
    return not refuses(SYS_BPF, 9999, None, 0) and "bpf is there"


def watch_machine():
    return not refuses(SYS_PERF, None, 0, -1, -1, 0) and "perf is there"


def new_mounts():
    return not refuses(SYS_FSOPEN, None, 0xFF) and "fsopen is there"


WAYS = [
    read_key, leave_key, leave_key_by_second_number, list_keys, virtual_socket, ring, watch_faults, load_program,
    watch_machine, new_mounts,
    capabilities, become_root, write_read_only, write_elsewhere, kernel_settings, read_secrets, find_marked,
    environment, system_secrets, host_processes, devices, descriptors, terminal, trace_first, enter_first,
    unshare_user, unshare_mount, change_root, network, abstract_socket, remount_root, remount_usr, mount_fresh,
    unmount,
]
for way in WAYS:
    if way.__name__ not in targets["skip"]:
        say(way.__name__, way())
print(f"tried as {os.getuid()}")
