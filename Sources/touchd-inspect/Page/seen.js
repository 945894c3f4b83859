// The places touched since the page was opened or up to a moment of a recording, and the untouched views.

import {shownViews} from "./drawing.js";
import {$, isDrawn, isRecording, page, screen, state} from "./state.js";

/** The size of a heat map cell in points; about half a fingertip's width on a kiosk's screen. */
const CELL = 32;

/** The views listed as touched or untouched, with subviews after their superviews. */
function* toldViews(views) {
  for (const view of views.filter((view) => !view.private)) {
    yield view;
    yield* toldViews(view.views);
  }
}

/** Computes the cells in which touches began, and the views with an effect that were not touched. */
export function seenHere() {
  const {began} = state.moment;
  const here = began.filter(isDrawn);
  const counts = new Map();
  for (const place of here) {
    const key = `${Math.floor(place.x / CELL)} ${Math.floor(place.y / CELL)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const cells = [...counts].map(([key, count]) => {
    const [column, row] = key.split(" ").map(Number);
    return {x: column * CELL, y: row * CELL, size: CELL, count};
  });
  const touched = new Set(began.map((place) => place.view));
  const {layout} = state.overview;
  const views = layout ? [...toldViews(shownViews(layout, screen(), page()))] : [];
  const dead = views.filter((view) => view.id !== undefined && view.handlers.length > 0 && !touched.has(view.id));
  return {cells, dead, count: here.length};
}

let shown = "";

export function showSeen() {
  if (!state.overview || !screen()) return;
  const seen = seenHere();
  const since = isRecording() ? "up to this moment of the recording" : "since this page was opened";
  const lines = [
    `${seen.count} ${seen.count === 1 ? "touch" : "touches"} began here ${since}.`,
    seen.dead.length > 0 ? `Not touched: ${seen.dead.map((view) => view.id).join(", ")}.`
      : "Every view that reacts to touches was touched.",
  ];
  // An unchanged text is not replaced, so that its selection remains.
  if (shown === lines.join()) return;
  shown = lines.join();
  $("seen").replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), {textContent: line})));
}
