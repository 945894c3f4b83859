"""A browser for measurements of web pages."""
import json, os, subprocess

from screen import folder


class Chromium:
    """A headless Chromium that shows a page, by the DevTools protocol."""

    def __init__(self, address):
        (self.input, theirs), (ours, output) = os.pipe(), os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{ours} 4>&{theirs}', "-", "chromium", "--headless=new", "--remote-debugging-pipe",
             "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={folder.name}/chromium", "about:blank"],
            pass_fds=(ours, theirs), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.output, self.unread, self.number, self.session = output, b"", 0, None
        target = self.send("Target.createTarget", url=address)["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Emulation.setTouchEmulationEnabled", enabled=True)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.unread:
                self.unread += os.read(self.input, 65536)
            text, self.unread = self.unread.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                # An error while the page is replaced.
                return answer.get("result", {})

    def value(self, expression):
        """The value of an expression in the page; a promise is awaited."""
        result = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True).get("result", {})
        return result.get("value")

    def down(self, x, y):
        self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])

    def up(self):
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
