// Tries a change in a copy of the layout and shows it as YAML, or sends commands to the running touchd.

import {askAgain} from "./asking.js";
import {ask} from "./connection.js";
import {draw, drawing, drawLayout, drawnViews, place, trial} from "./stage.js";
import {$, state} from "./state.js";

const SIDES = ["x", "y", "width", "height"];

function triedView() { return drawnViews.find((view) => view.key === $("view").value); }

function now(view) { return trial.now(view, state.moment.views); }

/** Selects the view under the pointer for the trial. */
export function chooseView(key) {
  if (key === undefined) return;
  $("view").value = key;
  showTrial();
}

/** Shows the state of the selected view in the copy. */
export function showTrial() {
  const view = triedView();
  for (const input of $("change").elements) input.disabled = !view;
  $("origin").textContent = view?.publisher ? `Published by ${view.publisher}` : view?.location ?? "";
  if (!view) return;
  const {hidden, enabled, frame} = now(view);
  $("trial-hidden").checked = hidden;
  $("trial-enabled").checked = enabled;
  SIDES.forEach((name, index) => {
    const input = $(`trial-${name}`);
    if (document.activeElement !== input) input.value = Math.round(frame[index] * 100) / 100;
  });
}

async function tryChange(change) {
  const view = triedView();
  if (!view) return;
  trial.change(view, change);
  await showTried();
}

async function showTried() {
  drawLayout();
  draw();
  try {
    $("yaml").value = trial.changes.size > 0 ? (await ask("/api/trial", trial.toJSON())).yaml : "";
  } catch (error) {
    $("yaml").value = `# ${error.message}`;
  }
  await askAgain();
}

/** Starts to drag the selected view, or the one under the pointer; returns whether dragging is enabled. */
export function startDragging(event) {
  if (!$("drag").checked) return false;
  const isInside = () => drawing.groups.get(triedView()?.key)?.contains(event.target);
  if (!isInside()) chooseView(event.target.closest?.("[data-key]")?.dataset.key);
  if (!isInside()) return false;
  const view = triedView(), group = drawing.groups.get(view.key), stage = $("stage");
  const from = place(event, group.parentNode), frame = now(view).frame, drawn = group.getAttribute("transform");
  stage.setPointerCapture(event.pointerId);
  let shift = [0, 0];
  const move = (event) => {
    const to = place(event, group.parentNode);
    shift = [Math.round(to.x - from.x), Math.round(to.y - from.y)];
    group.setAttribute("transform", `translate(${shift.join(" ")}) ${drawn}`);
  };
  const end = (event) => {
    stage.removeEventListener("pointermove", move);
    stage.removeEventListener("pointerup", end);
    stage.removeEventListener("pointercancel", end);
    if (event.type === "pointercancel") return drawLayout();
    tryChange({frame: [frame[0] + shift[0], frame[1] + shift[1], frame[2], frame[3]]});
  };
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", end);
  return true;
}

async function copy() {
  try {
    await navigator.clipboard.writeText($("yaml").value);
    $("done").textContent = "Copied.";
  } catch {
    // Pages loaded over plain HTTP from another machine cannot use the clipboard.
    $("yaml").select();
    $("done").textContent = "Selected; copy it with Ctrl+C.";
  }
}

async function command(name) {
  const view = triedView();
  if (view?.id === undefined) return ($("done").textContent = view ? "The view needs an id for this." : "Choose a view first.");
  try {
    await ask("/api/command", {command: name, view: view.id});
    $("done").textContent = `Done: ${name} ${view.id}.`;
  } catch (error) {
    $("done").textContent = error.message;
  }
}

/** Connects the section's controls; `reload` is called after a change to the running touchd. */
export function listenToTrials(reload) {
  $("view").addEventListener("change", showTrial);
  $("change").addEventListener("submit", (event) => event.preventDefault());
  $("trial-hidden").addEventListener("change", (event) => tryChange({hidden: event.target.checked}));
  $("trial-enabled").addEventListener("change", (event) => tryChange({enabled: event.target.checked}));
  for (const name of SIDES) {
    $(`trial-${name}`).addEventListener("change", () => {
      const frame = SIDES.map((name) => Number($(`trial-${name}`).value));
      if (frame[2] > 0 && frame[3] > 0) tryChange({frame});
    });
  }
  $("copy").addEventListener("click", copy);
  $("undo").addEventListener("click", () => { trial.undo(); showTried(); });
  for (const button of document.querySelectorAll("[data-command]")) {
    button.addEventListener("click", () => command(button.dataset.command).then(reload));
  }
}
