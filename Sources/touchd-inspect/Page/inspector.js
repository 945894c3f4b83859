// The page: requests the overview from the inspector and follows its events.

import {listenToQuestions} from "./asking.js";
import {ask, follow, takeToken} from "./connection.js";
import {showSources, startDay} from "./day.js";
import {showHappening} from "./happenings.js";
import {showDevices, showFlow} from "./sidebar.js";
import {draw, drawExtras, drawLayout, listenToChoices} from "./stage.js";
import {$, isRecording, say, showConnection, state} from "./state.js";
import {showTimeline} from "./timeline.js";
import {chooseView, listenToTrials, showTrial, startDragging} from "./trying.js";

// --- Overview

async function loadOverview() {
  const overview = await ask("/api/overview");
  state.overview = overview;
  $("source").textContent = isRecording() ? `Recording ${overview.source}` : `Running touchd at ${overview.source}`;
  say("problem", overview.problems.join(" "));
  if (!isRecording()) {
    state.moment.pages = overview.screens.flatMap((screen) => screen.page ? [screen.page] : []);
    state.moment.views = new Map(overview.views.map((view) => [view.view, view]));
    showConnection(overview.status ? "Connected" : "Waiting for touchd", !overview.status);
  }
  document.body.dataset.mode = overview.mode;
  showChoices();
  drawLayout();
  showDevices(overview);
  showSources(overview);
  showFlow(state.moment, overview.status);
  draw();
}

/** Requests the overview of a running touchd again. */
async function reload() {
  await loadOverview();
  // Events that arrive before the response are newer than the response.
  await askForPresent();
}

let isReloadDue = false;

/** Requests the overview again, once a second at most: a page that scrolls reports each move of its views. */
function reloadSoon() {
  if (isReloadDue) return;
  isReloadDue = true;
  setTimeout(async () => {
    isReloadDue = false;
    try {
      await reload();
    } catch {
      // An event reports that touchd is away.
    }
  }, 1000);
}

/** Requests delays and counts again while the page is visible. */
async function loadStatus() {
  if (document.hidden) return;
  try {
    const status = await ask("/api/status"), before = state.overview.status;
    // No event says that a reload was refused.
    if (status.refusal !== before?.refusal) return await reload();
    state.overview.status = status;
    showFlow(state.moment, status);
  } catch {
    // An event reports that touchd is away.
  }
}

function showChoices() {
  const {layout, screens} = state.overview;
  const before = $("screen").selectedIndex;
  $("screen").replaceChildren(...screens.map((screen, index) => new Option(screen.name ?? `screen ${index + 1}`)));
  $("screen").selectedIndex = Math.max(0, Math.min(before, screens.length - 1));
  $("screen-choice").hidden = screens.length < 2;
  const pages = layout?.pages ?? [];
  const kept = $("page").value;
  $("page").replaceChildren(new Option("as shown", ""), ...pages.map((page) => new Option(page.name, page.name)));
  $("page").value = pages.some((page) => page.name === kept) ? kept : "";
  $("page-choice").hidden = pages.length === 0;
}

// --- Events

async function followAlways() {
  while (true) {
    await follow(take).catch((error) => showConnection(`Not connected: ${error.message}`));
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

async function take(event) {
  const {moment} = state;
  showHappening(event);
  switch (event.event) {
  case "inspection":
    moment.apply(event);
    draw();
    break;
  case "disconnected":
    showConnection("Waiting for touchd");
    say("problem", event.reason);
    break;
  case "dropped":
    // They may include ends, if the page was suspended.
    moment.dropped += event.count;
    await askForPresent();
    break;
  case "connected":
    // A restarted touchd counts its touches from 1 again.
    moment.touches.clear();
    await reload();
    break;
  case "opened": case "layout": case "device":
    await reload();
    break;
  case "slot":
    reloadSoon();
    break;
  case "page":
    moment.pages = [...moment.pages.filter((name) => !isSamePlace(name, event.page)), event.page];
    draw();
    break;
  }
}

let lastAsked = -Infinity, waiting = null;

/** Requests the current touches again, at most once a second, and once more if events were missed meanwhile. */
async function askForPresent() {
  const pause = 1000 - (performance.now() - lastAsked);
  if (pause > 0) {
    // A timer may fire a fraction of a millisecond early; then another one is set.
    waiting ??= setTimeout(() => {
      waiting = null;
      askForPresent();
    }, pause);
    return;
  }
  clearTimeout(waiting);
  waiting = null;
  lastAsked = performance.now();
  try {
    await ask("/api/present", {});
  } catch {
    // touchd is away, and sends its state when it is back.
  }
}

/** Whether two pages belong to the same screen, which shows only one of them. */
function isSamePlace(name, other) {
  const [one, two] = [name, other].map((name) => state.overview.layout?.pages.find((page) => page.name === name)?.screen);
  return one === two;
}

// --- Start

function setContrast(isHigh) {
  document.body.classList.toggle("contrast", isHigh);
  $("contrast").setAttribute("aria-pressed", isHigh);
}

async function begin() {
  takeToken();
  setContrast(matchMedia("(prefers-contrast: more)").matches);
  $("contrast").addEventListener("click", () => setContrast(!document.body.classList.contains("contrast")));
  listenToChoices(showTrial);
  listenToQuestions(startDragging, chooseView);
  listenToTrials(reload);
  startDay(drawExtras);
  try {
    await loadOverview();
    if (isRecording()) {
      const records = await ask("/api/records");
      showConnection(`${records.length} moments`, false);
      showTimeline(records);
    } else {
      followAlways();
      setInterval(loadStatus, 3000);
    }
    document.body.dataset.ready = "true";
  } catch (error) {
    showConnection("Not connected");
    say("problem", error.message);
  }
}

begin();
