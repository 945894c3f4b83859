#!/usr/bin/env python3
"""Prints how long touchd.js takes in Chromium to find where a page's elements are touched, after a change that moves them all.

BINARY names the touchd, with touchd-web beside it.
"""
import os

from chromium import Chromium
from screen import file, folder, running

touchd = os.path.realpath(os.environ["BINARY"])
CHANGES = 60

# The browser's own part: what it takes to read each element's box and one property of its style.
PAGE = """<!doctype html><meta charset="utf-8"><style>body { margin: 0 } button { height: 18px; padding: 0 }
main { display: grid; grid-template-columns: repeat(50, 1fr); gap: 2px }</style><main></main><script>
const main = document.querySelector("main"), count = Number(location.search.slice(1));
main.innerHTML = Array.from({ length: count }, (_, i) => `<button id="b${i}" data-touchd>${i % 10}</button>`).join("");
const times = [], ask = requestAnimationFrame, later = (time) => new Promise((resolve) => setTimeout(resolve, time));
window.requestAnimationFrame = (body) => ask((now) => {
  document.body.offsetTop;
  const start = performance.now();
  body(now);
  times.push(performance.now() - start);
});
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
async function measure(changes) {
  const own = [], browser = [];
  await later(500);
  for (let turn = 0; turn < changes; turn++) {
    times.length = 0;
    main.style.paddingTop = turn % 2 + "px";
    await later(100);
    own.push(times.find((time) => time > 0.5));
    main.style.paddingLeft = turn % 2 + "px";
    document.body.offsetTop;
    const start = performance.now();
    for (const node of main.children) node.getClientRects()[0].left + getComputedStyle(node).pointerEvents;
    browser.push(performance.now() - start);
    await later(100);
  }
  return [median(own), median(browser)];
}
</script><script src="/touchd.js"></script>"""

layout = file("web.yaml", "screen: {size: [1000, 1000]}\nviews: [{slot: page, frame: [0, 0, 1000, 1000]}]\n")
control = f"{folder.name}/web"
os.makedirs(f"{folder.name}/site", exist_ok=True)
file("site/index.html", PAGE)
settings = file("web-web.yaml", f"pages: {folder.name}/site\n")
web = [f"{os.path.dirname(touchd)}/touchd-web", "--settings", settings, "--socket", control, "--listen", "0"]
print(f"\nMedian of {CHANGES} changes in headless Chromium, in ms, and beside it the browser's own part: reading each box and one style.\n")
print("| elements | touchd.js | boxes and styles alone | ratio |\n|---:|---:|---:|---:|")
with running([touchd, "run", "--layout", layout, "--control", control], "is ready"), \
        running(web, r"http://127.0.0.1:(\d+)") as found:
    for count in (300, 600, 2000):
        chromium = Chromium(f"http://127.0.0.1:{found[1]}/?{count}")
        try:
            while not chromium.value("window.touchd?.connected"):
                pass
            own, alone = chromium.value(f"measure({CHANGES})")
            print(f"| {count} | {own:.1f} | {alone:.1f} | {own / alone:.1f} |", flush=True)
        finally:
            chromium.process.kill()
            chromium.process.wait()
