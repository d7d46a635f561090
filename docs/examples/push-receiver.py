# Receives the documents that Docfetch pushes. Python 3.10 or newer, no dependencies: copy it and change `process`.
#
#   SECRET='whsec_…' TOKEN='…' python3 push-receiver.py
#
# SECRET  the signing secret of your environment; to receive a webhook's events instead, the secret of the webhook
# TOKEN   the bearer token that you gave to the support team; leave it out when there is none
# PORT    default 4000, 0 for any free one
# HOST    default 127.0.0.1
# FOLDER  where documents are stored, default ./received; for one receiver at a time
import base64
import hashlib
import hmac
import json
import os
import queue
import re
import signal
import socket
import socketserver
import sys
import threading
import time
import traceback
import unicodedata
import uuid
from http.server import BaseHTTPRequestHandler
from pathlib import Path

SECRET = os.environ.get("SECRET", "")
TOKEN = os.environ.get("TOKEN", "")
PORT = int(os.environ.get("PORT") or "4000")
HOST = os.environ.get("HOST") or "127.0.0.1"
FOLDER = Path(os.environ.get("FOLDER") or "received")
# Documents of up to 50 MiB are pushed; base64 makes them a third longer.
MAX_BODY_BYTES = 100 * 1024 * 1024
# A message that was signed longer ago, or in the future, may be a replay.
TOLERANCE_SECONDS = 300
# A connection on which nothing arrives for this long is closed.
IDLE_SECONDS = 60
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

if not SECRET.startswith("whsec_"):
    sys.exit("Set SECRET to the signing secret of your environment (whsec_…).")
KEY = base64.b64decode(SECRET[len("whsec_") :])


def handle_event(event):
    """Your application's handler of a webhook event. Events are not sent twice: what you miss is still in the API."""
    # For `document.available`: GET /v1/transactions/{data.transaction_uuid}/document with your API key.
    print_json({name: event.get(name) for name in ("type", "timestamp", "data")})


def process(payload):
    """
    Your application's handler of a document. It runs after the response, so it may take any time. When it fails, or the
    program ends before it has finished, it runs again at the next start: running twice must do no harm.
    """
    document = payload["document"]
    content = base64.b64decode(document["base64"])
    # The name comes from a mail or a portal: never use it as a path. Most file systems allow 255 bytes.
    name = re.sub(r"[^\w ._&()-]", "_", unicodedata.normalize("NFC", document["filename"]))[-60:]
    name = name.encode()[-180:].decode(errors="ignore")
    transaction_uuid = payload["transaction_uuid"]
    (FOLDER / f"{transaction_uuid} {name}").write_bytes(content)
    names = ("transaction_uuid", "client_identifier", "connection_uuid", "document_type", "external_id")
    description = {
        **{key: payload.get(key) for key in names},
        "filename": document["filename"],
        "mime_type": document["mime_type"],
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "metadata": payload.get("metadata"),
    }
    text = json.dumps(description, ensure_ascii=False, indent=2)
    (FOLDER / f"{transaction_uuid} {name}.metadata.json").write_text(text, encoding="utf-8")
    print_json(description)


class Receiver(BaseHTTPRequestHandler):
    timeout = IDLE_SECONDS

    def do_POST(self):
        try:
            body = self.read_body()
            if body is not None:
                self.receive(body)
        except (ConnectionError, TimeoutError):
            self.close_connection = True  # The sender has gone. Docfetch tries again.
        except Exception:
            # Docfetch tries again: nothing is lost.
            traceback.print_exc()
            self.answer(500)

    def receive(self, body):
        if TOKEN and not equal(self.headers.get("authorization", ""), f"Bearer {TOKEN}"):
            return self.refuse("wrong bearer token")
        problem = signature_problem(self.headers, body)
        if problem:
            return self.refuse(problem)
        payload = json.loads(body)
        if isinstance(payload.get("type"), str):
            self.answer(200)
            return handle_event(payload)
        transaction_uuid = payload.get("transaction_uuid")
        if not isinstance(transaction_uuid, str) or not UUID.fullmatch(transaction_uuid):
            return self.answer(400)
        # Store it before you answer 200: from then on you alone have the document.
        is_new = store(transaction_uuid, body)
        # A document may arrive twice (a response got lost): answer 200 again, but do not process it again.
        self.answer(200)
        if is_new:
            stored.put(transaction_uuid)

    def read_body(self):
        """The body exactly as it arrived. None when it has been refused."""
        length = self.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,12}", length):
            return self.answer(411)
        if int(length) > MAX_BODY_BYTES:
            self.answer(413)
            # A connection that is closed while data arrives may lose the response.
            while self.rfile.read1(65536):
                pass
            return None
        body = self.rfile.read(int(length))
        return body if len(body) == int(length) else self.answer(400)

    def refuse(self, reason):
        print(f"Refused a request: {reason}.", file=sys.stderr, flush=True)
        self.answer(401)

    def answer(self, status):
        self.send_response(status)
        if status == 405:
            self.send_header("Allow", "POST")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        self.answer(405)

    do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_GET

    def log_message(self, *_):
        pass


def signature_problem(headers, body):
    """
    Checks the signature over the body exactly as it arrived (https://www.standardwebhooks.com): HMAC-SHA256 of
    "id.timestamp.body". During a rotation of the secret there are two signatures, and one of them has to match.
    Returns the problem, or None.
    """
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    if not message_id or not signatures or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return "not signed"
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return "signed too long ago"
    digest = hmac.new(KEY, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(digest).decode()}"
    # Compares with all of them, whichever matches: the time it takes reveals nothing.
    matching = [signature for signature in signatures.split(" ") if equal(signature, expected)]
    return None if matching else "wrong signature"


def equal(one, other):
    """Compares in constant time."""
    return hmac.compare_digest(one.encode(), other.encode())


def store(transaction_uuid, body):
    """Writes the body under the transaction's uuid, completely or not at all. Returns False when it is stored already."""
    unfinished = FOLDER / f".{uuid.uuid4()}"
    try:
        with open(unfinished, "xb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        os.link(unfinished, FOLDER / f"{transaction_uuid}.json")
        sync_folder()
        return True
    except FileExistsError:
        return False
    finally:
        unfinished.unlink(missing_ok=True)


def sync_folder():
    """Makes a new file in the folder survive a power failure. Windows does so by itself."""
    if os.name == "nt":
        return
    folder = os.open(FOLDER, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def finish(transaction_uuid):
    """Processes a stored document. Its body is then replaced by an empty file, which marks the document as known."""
    path = FOLDER / f"{transaction_uuid}.json"
    try:
        process(json.loads(path.read_bytes()))
        os.truncate(path, 0)
    except Exception as error:
        print(f"Processing {transaction_uuid} failed: {error!r}", file=sys.stderr, flush=True)


def resume():
    """Processes what the last run has stored but not finished: it was answered with 200, and is not sent again."""
    for path in sorted(FOLDER.iterdir()):
        if re.fullmatch(r"\.[0-9a-f-]{36}", path.name):
            path.unlink()
        elif path.suffix == ".json" and UUID.fullmatch(path.stem) and path.stat().st_size > 0:
            finish(path.stem)


def process_stored():
    while True:
        finish(stored.get())


def print_json(value):
    print(json.dumps(value, ensure_ascii=False, separators=(",", ":")), flush=True)


class Server(socketserver.ThreadingTCPServer):
    address_family = socket.AF_INET6 if ":" in HOST else socket.AF_INET
    allow_reuse_address = os.name != "nt"
    request_queue_size = 128


sys.stdout.reconfigure(encoding="utf-8")
FOLDER.mkdir(mode=0o700, parents=True, exist_ok=True)
resume()
stored = queue.Queue()
threading.Thread(target=process_stored, daemon=True).start()
try:
    server = Server((HOST, PORT), Receiver)
except OSError as error:
    sys.exit(f"Cannot listen on port {PORT}: {error}")
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
host, port = server.server_address[:2]
print(f"Listening on http://{f'[{host}]' if ':' in host else host}:{port}/", flush=True)
# Returns after a signal. Then the requests that are being received are answered; what is being processed is resumed at the
# next start.
with server:
    server.serve_forever(poll_interval=0.1)
os._exit(0)
