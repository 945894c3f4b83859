// The shared state of the page: overview, current moment and selection.

import {Moment} from "./moment.js";

export const state = {
  overview: null,
  moment: new Moment(),
  chosen: null,      // the number of the selected touch
  isPinned: false,   // whether the user selected it
  cross: null,       // the tested point
};

export const $ = (id) => document.getElementById(id);

/** Shows a placeholder while a section is empty. */
export function say(id, text) {
  $(id).textContent = text;
  $(id).hidden = text === "";
}

export function isRecording() { return state.overview.mode === "recording"; }

/** The selected screen. */
export function screen() { return state.overview.screens[$("screen").selectedIndex] ?? state.overview.screens[0]; }

/** The selected page; with "as shown", the page that the screen currently shows. */
export function page() {
  if ($("page").value !== "") return $("page").value;
  const {layout} = state.overview;
  const isHere = (page) => (page.screen ?? layout.screens[0].name) === screen().name;
  const names = new Set((layout?.pages ?? []).filter(isHere).map((page) => page.name));
  return state.moment.pages.find((name) => names.has(name)) ?? screen().page;
}

/** Whether a screen is the selected one. */
export function isHere(name) { return state.overview.screens.length < 2 || (name ?? null) === (screen().name ?? null); }

/** Whether a touch, or the place where it began, belongs to the drawn screen and page. */
export function isDrawn({screen, pages}) { return isHere(screen) && (!page() || pages.includes(page())); }

/** Shows whether events arrive; if they do not, it stays visible while the page is scrolled. */
export function showConnection(text, isAway = true) {
  $("connection").textContent = text;
  document.body.classList.toggle("away", isAway);
}
