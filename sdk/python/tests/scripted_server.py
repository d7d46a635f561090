import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from docfetch import Docfetch

UUID = "0198f6a0-7d5c-7000-8000-000000000002"
PAGE = {"data": [], "meta": {"next_cursor": None, "has_more": False}}


def answer(status, body, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, {"Content-Type": "application/json", **named}, json.dumps(body).encode()


def error(status, code, **headers):
    body = {"type": "t", "title": "T", "status": status, "code": code, "detail": "D", "request_id": "req_1"}
    return answer(status, {**body, "errors": []}, **headers)


QUEUED = answer(202, {"uuid": UUID})


def client_of(server, **options):
    return Docfetch(server.url, api_key="df_test_x", **options)


def fetch_now(server, **options):
    return client_of(server, **options).fetches.fetch_now(UUID)


class ScriptedServer:
    """Answers each request with the next of the given responses: ``(status, headers, body)``, or ``None`` to close.

    A body is bytes, or an iterable of what is sent one after another. Fails at its end if the number of requests differs.
    """

    def __init__(self, *responses):
        self.requests = []
        self._expected = len(responses)
        remaining = list(responses)
        seen = self.requests
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with lock:
                    seen.append((self.command, self.path, self.headers, body))
                    response = remaining.pop(0) if remaining else None
                if response is None:
                    self.close_connection = True
                    return
                status, headers, content = response
                chunks = [content] if isinstance(content, bytes) else content
                length = {"Content-Length": str(len(content))} if isinstance(content, bytes) and status != 204 else {}
                self.send_response(status)
                for name, value in {**length, **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    for chunk in chunks:
                        self.wfile.write(chunk)
                except OSError:
                    self.close_connection = True

            do_GET = do_POST = do_PUT = do_DELETE = do_CONNECT = answer

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, failure, *_):
        self._server.shutdown()
        self._server.server_close()
        if failure is None:
            assert len(self.requests) == self._expected, f"{len(self.requests)} requests instead of {self._expected}"
