"""A client of the Risk Posture Service that needs only Python's standard library (3.9 or later).

Address and credentials come from the environment: POSTURE_URL, POSTURE_USERNAME, POSTURE_PASSWORD.
"""

import base64
import http.client
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

ATTEMPTS_MAX = 6
WAIT_SECONDS_MAX = 120  # of all attempts of a request
SILENCE_SECONDS_MAX = 60  # the stream of changes sends a heartbeat every 15 s


class ApiError(Exception):
    """An unsuccessful answer; its text is the error message of the service."""

    def __init__(self, status, body, request_id):
        super().__init__(body.get("message", f"answered with {status}"))
        self.status = status
        self.problems = body.get("errors", [])
        self.may_have_taken_effect = body.get("mayHaveTakenEffect") is True
        self.request_id = request_id


class AccessEnded(Exception):
    """The credential was deleted or rotated, or has other rights: then open another stream without an id, and read the
    lists."""


class Posture:
    def __init__(self):
        self.url = os.environ.get("POSTURE_URL", "http://127.0.0.1:8080")
        self.credentials = os.environ["POSTURE_USERNAME"], os.environ["POSTURE_PASSWORD"]
        self.token = None

    def get(self, path, **query):
        if query:
            path += "?" + urllib.parse.urlencode(query)
        return self.ask("GET", path)

    def post(self, path, body):
        return self.ask("POST", path, json.dumps(body).encode(), {"content-type": "application/json"})

    def items(self, path, **query):
        """The items of a list, page by page as needed."""
        while True:
            page = self.get(path, **query)
            yield from page["items"]
            if page["nextCursor"] is None:
                return
            query["cursor"] = page["nextCursor"]

    def send_signal(self, signal):
        """Sends one signal as JSON, with a key: it counts once, even if it is sent several times."""
        headers = {"content-type": "application/json", "idempotency-key": str(uuid.uuid4())}
        return self.ask("POST", "/api/v3/signals", json.dumps(signal).encode(), headers)

    def upload_zip(self, zip_bytes):
        """Uploads a ZIP of signals as a form with one file."""
        boundary = uuid.uuid4().hex
        head = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="signals.zip"\r\n'
            "Content-Type: application/zip\r\n\r\n"
        )
        headers = {
            "content-type": f"multipart/form-data; boundary={boundary}",
            "accept": "application/json",
            "idempotency-key": str(uuid.uuid4()),
        }
        body = head.encode() + zip_bytes + f"\r\n--{boundary}--\r\n".encode()
        return self.ask("POST", "/api/v3/signals/zip", body, headers)

    def wait_until_folded(self, upload_id, seconds=60):
        """Waits until an upload is processed, and returns its outcome."""
        end = time.monotonic() + seconds
        while True:
            upload = self.get(f"/api/v3/uploads/{upload_id}")
            if upload["done"]:
                return upload
            if time.monotonic() > end:
                raise TimeoutError(f"upload {upload_id}: {upload['folded']} of {upload['accepted']} signals folded")
            time.sleep(0.2)

    def changes(self, topics="findings", after=None):
        """Every change from now on, or after the id `after`; reconnects as needed: (id, kind, data)."""
        while True:
            try:
                headers = {"last-event-id": after} if after else {}
                with self.open("GET", f"/api/v3/changes?topics={topics}", None, headers) as stream:
                    kind, data = None, None
                    for line in stream:
                        if not line.endswith(b"\n"):
                            break  # cut off
                        field, _, value = line.decode().rstrip("\n").partition(": ")
                        if field == "event":
                            kind = value
                        elif field == "data" and kind == "end":
                            end = json.loads(value)
                            if end["reason"] in ("revoked", "changed"):  # otherwise the token has expired
                                raise AccessEnded(end["message"])
                        elif field == "data":
                            data = value
                        elif field == "id":
                            after = value  # comes last
                            if data is not None:
                                yield after, kind, json.loads(data)
                            kind, data = None, None
            except ApiError as error:
                if error.status < 500 and error.status != 429:  # otherwise it is temporarily unavailable or busy
                    raise
            except (http.client.HTTPException, OSError):
                pass
            time.sleep(2)

    def ask(self, method, path, body=None, headers=None):
        return self.open(method, path, body, headers or {}, read_json)

    def open(self, method, path, body, headers, read=lambda answer: answer):
        """Returns the answer, or what `read` makes of it. Signs in first, and once more if the token has expired (401),
        unless the request may already have taken effect and is not safe to repeat. If the service is busy (429), waits
        for the stated time, unless the waits exceed two minutes. Repeats sign-ins and safe requests if the service is temporarily unavailable (502, 503, 504,
        or a connection that is cut before `read` ends)."""
        may_repeat = method == "GET" or "idempotency-key" in headers
        signed_in_anew = False
        attempt = 1
        waited = 0
        while True:
            try:
                if self.token is None:
                    self.token = self.sign_in()
                authorized = {**headers, "authorization": f"Bearer {self.token}"}
                request = urllib.request.Request(self.url + path, body, authorized, method=method)
                return read(urllib.request.urlopen(request, timeout=SILENCE_SECONDS_MAX))
            except urllib.error.HTTPError as error:
                failure = api_error(error)
                is_sign_in = self.token is None
                is_safe = may_repeat or not failure.may_have_taken_effect
                if failure.status == 401 and is_safe and not is_sign_in and not signed_in_anew:
                    self.token, signed_in_anew = None, True
                    continue
                is_away = failure.status in (502, 503, 504)
                is_passing = failure.status == 429 or (is_away and (is_sign_in or may_repeat))
                stated = error.headers.get("retry-after", "")
                seconds = int(stated) if stated.isdecimal() else attempt
            except (http.client.HTTPException, OSError) as error:  # no connection, a cut one, or no data for too long
                failure = error
                is_passing = may_repeat or self.token is None
                seconds = attempt
            if not is_passing or attempt == ATTEMPTS_MAX or waited + seconds > WAIT_SECONDS_MAX:
                raise failure from None
            time.sleep(seconds)
            waited += seconds
            attempt += 1

    def sign_in(self):
        basic = base64.b64encode(":".join(self.credentials).encode()).decode()
        headers = {"authorization": f"Basic {basic}"}
        request = urllib.request.Request(self.url + "/api/v3/auth", headers=headers, method="POST")
        return read_json(urllib.request.urlopen(request, timeout=30))["accessToken"]


def read_json(answer):
    with answer:
        return json.load(answer)


def api_error(error):
    try:
        body = json.load(error)
    except ValueError:
        body = {}
    return ApiError(error.code, body, error.headers.get("x-request-id"))
