// The day's touches, untouched views and suspected ghosts, and a recording of the last minutes for a bug report.

import {ask} from "./connection.js";
import {element} from "./drawing.js";
import {node} from "./sidebar.js";

const $ = (id) => document.getElementById(id);

const SOURCES = {
  journal: "today, as the journal has it",
  opened: "since the inspector was started",
  recording: "in the whole recording",
};

let day = null;
let saved = "";

/** Connects the section's buttons; `redraw` draws the extras of the picture again. */
export function startDay(redraw) {
  $("day-load").addEventListener("click", async () => {
    $("day-load").disabled = true;
    $("day-done").textContent = "Reading…";
    try {
      day = await ask("/api/day");
      $("day-done").textContent = "";
      $("day-shown").checked = true;
      $("day-shown").disabled = false;
    } catch (error) {
      $("day-done").textContent = error.message;
    }
    $("day-load").disabled = false;
    showDay();
    redraw();
  });
  $("day-shown").addEventListener("change", redraw);
  $("export").addEventListener("click", exportRecording);
}

/** Offers the recording of the last minutes as a file. */
async function exportRecording() {
  const source = $("export-source").value;
  try {
    const recording = await ask("/api/recording", source === "" ? {} : {source: Number(source)});
    URL.revokeObjectURL(saved);
    saved = URL.createObjectURL(new Blob([recording.text], {type: "text/plain"}));
    const link = node("a", recording.file, {download: recording.file, href: saved});
    const events = (recording.text.match(/^E: .* 0000 0000 /gm) ?? []).length;
    $("export-done").replaceChildren(
      "Saved as ", link, `: ${events} reports. Contacts in private views are left out; everything else that was touched is in it.`);
    link.click();
  } catch (error) {
    $("export-done").textContent = error.message;
  }
}

/** Says whose touches are counted, and lists the touchscreens that can be recorded. */
export function showSources(overview) {
  if (overview.mode === "recording") {
    $("day-title").textContent = "The recording's touches";
    $("day-load").textContent = "Count them";
  }
  const screens = overview.devices.filter((device) => device.kind === "touchscreen" && device.use === "used");
  const kept = $("export-source").value;
  $("export-source").replaceChildren(...(screens.length > 1 ? [] : [new Option("the only one", "")]), ...(
    screens.length > 1 ? screens.map((device) => new Option(`${device.name} (${device.path})`, device.source)) : []));
  if ([...$("export-source").options].some((option) => option.value === kept)) $("export-source").value = kept;
  $("export-choice").hidden = screens.length < 2;
}

function clock(date) {
  return new Date(date).toLocaleTimeString([], {hour: "2-digit", minute: "2-digit"});
}

/** Describes the picture in words, for users who cannot see it. */
function showDay() {
  if (!day) return;
  const parts = [node("p", `${day.touches} ${day.touches === 1 ? "touch" : "touches"} ${SOURCES[day.source]}.`, {class: "lead"})];
  if (day.reason) parts.push(node("p", `Not the whole day: ${day.reason}.`));
  if (day.touches > 0) {
    parts.push(node("h3", "Never touched"));
    parts.push(node("p", day.untouched.length > 0 ? day.untouched.join(", ") : "Every view that waits for touches had some.", {"data-fact": "untouched"}));
    parts.push(node("h3", "Suspected ghost touches"));
    if (day.ghosts.length > 0) {
      const list = node("ol", undefined, {"data-fact": "ghosts"});
      list.append(...day.ghosts.map((ghost) => node("li",
        `${ghost.touches} at ${ghost.x}, ${ghost.y}${ghost.view ? ` on ${ghost.view}` : ""}: ${ghost.oddities.join(", ")}`
        + (day.source === "recording" ? "" : `, ${clock(ghost.first)} to ${clock(ghost.last)}`))));
      parts.push(list);
    } else {
      parts.push(node("p", "None.", {"data-fact": "ghosts"}));
    }
  }
  $("day").replaceChildren(...parts);
}

/**
 * Draws the day over the layout: squares whose size and label show the number of touches, a cross over each untouched
 * view, and a double ring around each spot of suspected ghosts. Size and shape stay distinct in bright sunlight.
 */
export function drawDay(drawing, screen, page, screens) {
  let layer = drawing.layers.day;
  // Drawing the layout recreates all layers.
  if (!layer?.isConnected) {
    layer = drawing.layers.day = element("g", {class: "day"});
    drawing.svg.insertBefore(layer, drawing.layers.touches);
  }
  if (!day || !$("day-shown").checked) return layer.replaceChildren();
  const places = day.places.filter((place) => (place.page ?? page) === page && (screens.length < 2 || (place.screen ?? screens[0].name) === screen.name));
  const cells = places.flatMap((place) => place.cells);
  const most = Math.max(1, ...cells.map((cell) => cell.count));
  // A tall screen is drawn small, and a single touch must be visible on it.
  const unit = drawing.unit, size = day.cellSize, largest = Math.max(size, 28 * unit);
  const squares = cells.flatMap((cell) => {
    // The scale is logarithmic, because one touch must be visible beside a thousand.
    const side = largest * (0.5 + 0.5 * (most === 1 ? 0 : Math.log(cell.count) / Math.log(most)));
    const x = (cell.column + 0.5) * size, y = (cell.row + 0.5) * size;
    const square = element("rect", {x: x - side / 2, y: y - side / 2, width: side, height: side, class: "day-cell", "data-count": cell.count, "stroke-width": 1.5 * unit});
    const title = element("title");
    title.textContent = `${cell.count} ${cell.count === 1 ? "touch" : "touches"} began here`;
    square.append(title);
    const digits = `${cell.count}`.length;
    const height = Math.min(side * 0.6, 1.4 * side / digits);
    if (cell.count < 2 || height < 6 * unit) return [square];
    const label = element("text", {x, y: y + height * 0.35, "font-size": height, class: "day-count"});
    label.textContent = `${cell.count}`;
    return [square, label];
  });
  const ghosts = (screens.length < 2 ? day.ghosts : []).map((ghost) => {
    const ring = element("g", {class: "day-ghost", "data-touches": ghost.touches},
      element("circle", {cx: ghost.x, cy: ghost.y, r: 24 * unit, "stroke-width": 4 * unit}),
      element("circle", {cx: ghost.x, cy: ghost.y, r: 34 * unit, "stroke-width": 4 * unit}));
    const label = element("text", {x: ghost.x, y: ghost.y - 40 * unit, "font-size": 24 * unit});
    label.textContent = `ghost? ${ghost.touches}`;
    const title = element("title");
    title.textContent = `${ghost.touches} touches that nobody seems to have made: ${ghost.oddities.join(", ")}`;
    ring.append(label, title);
    return ring;
  });
  layer.replaceChildren(...squares, ...crosses(drawing), ...ghosts);
}

/** Draws a cross over each enabled view without touches; its middle stays free for the name. */
function crosses(drawing) {
  const untouched = new Set(day.untouched);
  return [...drawing.groups.values()].filter((group) => untouched.has(group.dataset.id)).map((group) => {
    const shape = group.querySelector(":scope > .shape"), box = shape.getBBox();
    // Converts from the shape's own coordinates to the picture's.
    const matrix = drawing.svg.getScreenCTM().inverse().multiply(shape.getScreenCTM());
    const at = (x, y) => { const point = new DOMPoint(x, y).matrixTransform(matrix); return `${point.x},${point.y}`; };
    const arm = (fromX, fromY) => {
      const [x, y] = [box.x + fromX * box.width, box.y + fromY * box.height];
      return `M${at(x, y)} L${at(x + (0.5 - fromX) * 0.6 * box.width, y + (0.5 - fromY) * 0.6 * box.height)}`;
    };
    const cross = element("path", {
      d: [arm(0, 0), arm(1, 0), arm(0, 1), arm(1, 1)].join(" "), class: "day-untouched",
      "stroke-width": 5 * drawing.unit, "data-id": group.dataset.id,
    });
    const title = element("title");
    title.textContent = `${group.dataset.id} was never touched`;
    cross.append(title);
    return cross;
  });
}
