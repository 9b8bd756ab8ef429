"""The world outside: a proxy for what is encrypted, behind which every host answers.

Says its port, then logs each request as a line of JSON: which host the proxy
was asked for, and what that host was asked then. Where a port of a scripted
model is given, hosts of models answer as that does.
"""

import json
import socket
import ssl
import sys
import threading

folder = sys.argv[1]
model = int(sys.argv[2]) if len(sys.argv) > 2 else None
MODELS = ("api.anthropic.com:443", "chatgpt.com:443")
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/site.pem", f"{folder}/site.key")
log = open(f"{folder}/log.jsonl", "a")
writing = threading.Lock()


def note(**what):
    with writing:
        log.write(json.dumps(what) + "\n")
        log.flush()


def head(stream):
    """The first lines, and what came behind them."""
    got = b""
    while b"\r\n\r\n" not in got:
        piece = stream.recv(65536)
        if not piece:
            return None, got
        got += piece
    text, rest = got.split(b"\r\n\r\n", 1)
    return text.decode("latin-1"), rest


def fields(text):
    pairs = (line.split(":", 1) for line in text.split("\r\n")[1:] if ":" in line)
    return {name.strip().lower(): value.strip() for name, value in pairs}


def relay(stream, text, body):
    """Has the scripted model answer, where a subscription would be asked."""
    text = text.replace(" /backend-api/codex/", " /v1/", 1)
    kept = [line for line in text.split("\r\n") if not line.lower().startswith("connection:")]
    with socket.create_connection(("127.0.0.1", model)) as server:
        server.sendall("\r\n".join(kept + ["Connection: close", "", ""]).encode("latin-1") + body)
        while piece := server.recv(65536):
            stream.sendall(piece)


def answer(stream, connect):
    text, body = head(stream)
    if text is None:
        return
    method, path = text.split(" ")[:2]
    headers = fields(text)
    while len(body) < int(headers.get("content-length", 0)):
        body += stream.recv(65536)
    note(connect=connect, method=method, path=path, headers=headers, body=body.decode("latin-1"))
    if model and connect in MODELS:
        return relay(stream, text, body)
    said = f"{method} {path} of {connect}\n".encode()
    status = "302 Found\r\nLocation: https://evil.example/" if path == "/redirect" else "200 OK"
    stream.sendall(f"HTTP/1.1 {status}\r\nContent-Length: {len(said)}\r\nConnection: close\r\n\r\n".encode() + said)


def attend(stream):
    try:
        text, _ = head(stream)
        if text is None:
            return
        method, connect = text.split(" ")[:2]
        note(asked=text.split("\r\n")[0])
        if method != "CONNECT":
            return
        stream.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        with context.wrap_socket(stream, server_side=True) as inner:
            answer(inner, connect)
    except (OSError, ValueError) as error:
        note(error=str(error))


server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    connection, _ = server.accept()
    threading.Thread(target=attend, args=(connection,), daemon=True).start()
