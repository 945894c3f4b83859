// The list of what happened besides touches: gestures, controls, pages, idle times and published messages.

import {node} from "./sidebar.js";

const $ = (id) => document.getElementById(id);

/** The maximum number of entries. */
const LIMIT = 60;

/** The words for an event of touchd; undefined for an event that is not listed. */
function words(event) {
  const where = event.view === undefined ? "" : ` on ${event.view}`;
  switch (event.event) {
  case "gesture": return `${event.id ?? event.gesture} ${event.trigger}${where}`;
  case "control": return `${event.control}${where}`;
  case "page": return `page ${event.page}`;
  case "idle": return event.trigger === "idle" ? `idle after ${event.after} s` : "touched again";
  // The message may describe a private view.
  case "published": return `published ${event.topic}`;
  case "layout": return "layout loaded";
  default: return undefined;
  }
}

/** Adds an event at the top of the list. */
export function showHappening(event) {
  const text = words(event);
  if (text === undefined) return;
  const list = $("happenings");
  list.querySelector(".empty")?.remove();
  const time = node("time", new Date().toLocaleTimeString([], {hour12: false}));
  const entry = node("li", undefined, {"data-event": event.event});
  entry.append(time, ` ${text}`);
  list.prepend(entry);
  if (list.children.length > LIMIT) list.lastElementChild.remove();
}
