"""The page of --emit=html in a browser: each line has its fragment's colour, hovering shows the facts, nothing fails.

usage: browser_test.py SPLIT_CHECK PROGRAM HEADER PRECOMPILED

Runs where a headless Chromium is found (chromium-headless-shell, chromium, $FDG_BROWSER); exit code 77 otherwise. It is
spoken to over two pipes, so nothing listens on a port.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SPLIT_CHECK, PROGRAM, HEADER, PRECOMPILED = sys.argv[1:5]
BROWSER = os.environ.get("FDG_BROWSER") or next(
    (found for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
     if (found := shutil.which(name))), None)


def emit(what):
    return subprocess.run([SPLIT_CHECK, PROGRAM, HEADER, PRECOMPILED, what], capture_output=True, check=True,
                          timeout=60).stdout.decode()


class Browser:
    """One tab, driven by Chromium's debugging protocol: messages of JSON, each ended by a zero byte."""

    def __init__(self, profile):
        to_read, self.write = os.pipe()
        self.read, to_write = os.pipe()
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "sh", BROWSER, "--headless", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", f"--user-data-dir={profile}",
             "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=1200, height=900, deviceScaleFactor=1, mobile=False)

    def message(self):
        while b"\0" not in self.buffer:
            read = os.read(self.read, 1 << 16)
            if not read:
                raise RuntimeError("the browser ended")
            self.buffer += read
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write, json.dumps(request).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, url):
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def point_at(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=27)

    def complaints(self):
        return [event for event in self.events if event.get("method") == "Runtime.exceptionThrown"
                or (event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error")
                or (event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "assert"))]

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.read)
        os.close(self.write)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        page = pathlib.Path(folder.name, "page.html")
        page.write_text(emit("html"))
        cls.manifest = json.loads(emit("manifest"))
        cls.browser = Browser(pathlib.Path(folder.name, "profile"))
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open(page.as_uri())

    def theme(self, scheme):
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def test_each_line_has_the_colour_of_its_fragment(self):
        for scheme in ("light", "dark"):
            self.theme(scheme)
            colours = self.browser.evaluate("""[...document.querySelectorAll('.legend > li')].map(
                item => getComputedStyle(item).borderLeftColor)""")
            self.assertEqual(len(colours), len(self.manifest["fragments"]))
            self.assertEqual(len(set(colours)), len(colours), "two fragments of one colour")
            lines = self.browser.evaluate("""[...document.querySelectorAll('tr.owned')].map(row => ({
                fragment: Number([...row.classList].find(name => /^f\\d+$/.test(name)).slice(1)),
                edge: getComputedStyle(row.querySelector('.code')).borderLeftColor,
                badge: getComputedStyle(row.querySelector('.badge')).backgroundColor,
                ground: getComputedStyle(row.querySelector('.code')).backgroundColor}))""")
            self.assertGreater(len(lines), 3)
            paper = self.browser.evaluate("getComputedStyle(document.body).backgroundColor")
            for line in lines:
                self.assertEqual(line["edge"], colours[line["fragment"]])
                self.assertEqual(line["badge"], colours[line["fragment"]])
                self.assertNotEqual(line["ground"], paper, "the colour does not show")
            self.assertGreater(len({line["fragment"] for line in lines}), 1)

    def tip(self, mark):
        return self.browser.evaluate(f"""(() => {{
            const tip = document.querySelectorAll('.source .mark')[{mark}].querySelector('.tip');
            const box = tip.getBoundingClientRect();
            return {{shown: getComputedStyle(tip).display !== 'none' && box.width > 0 && box.height > 0,
                     text: tip.innerText, left: box.left, right: box.right}}; }})()""")

    def test_hovering_shows_the_facts_and_escape_hides_them(self):
        self.theme("light")
        boundaries = self.manifest["boundaries"]
        marks = self.browser.evaluate("document.querySelectorAll('.source .mark').length")
        self.assertEqual(marks, len(boundaries))
        for mark in range(marks):
            self.browser.point_at(1, 1)
            self.assertFalse(self.tip(mark)["shown"])
            box = self.browser.evaluate(f"""(() => {{
                const mark = document.querySelectorAll('.source .mark')[{mark}];
                mark.scrollIntoView({{block: 'center'}});
                const box = mark.getBoundingClientRect();
                return {{x: box.left + 10, y: box.top + box.height / 2,
                         tip: mark.getAttribute('aria-describedby')}}; }})()""")
            self.browser.point_at(box["x"], box["y"])
            tip = self.tip(mark)
            self.assertTrue(tip["shown"])
            self.assertTrue(0 <= tip["left"] and tip["right"] <= 1200, "the facts are cut off")
            (boundary,) = [b for b in boundaries if f"tip{b['id']}" == box["tip"]]
            wanted = "sends the outcome" if boundary["implicit"] else \
                f"drainable: {'yes' if boundary['drainable']['holds'] else 'no'}"
            self.assertIn(wanted, tip["text"])
            self.browser.press("Escape")
            self.assertFalse(self.tip(mark)["shown"])

    def test_keyboard_focus_shows_them_too(self):
        self.browser.point_at(1, 1)
        self.browser.evaluate("document.querySelector('.source .mark').focus()")
        self.assertTrue(self.tip(0)["shown"])
        self.browser.evaluate("document.activeElement.blur()")
        self.assertFalse(self.tip(0)["shown"])

    def test_no_complaints(self):
        self.browser.evaluate("1")
        self.assertEqual(self.browser.complaints(), [])


if BROWSER is None:
    print("skipped: there is no headless Chromium here (Debian: chromium-headless-shell); FDG_BROWSER can name one")
    sys.exit(77)
print("browser:", BROWSER)
unittest.main(argv=sys.argv[:1])
