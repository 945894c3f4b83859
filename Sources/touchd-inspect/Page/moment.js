// The state at a moment, built from touchd's records in order.

/** How long an ended touch stays visible, in seconds. */
export const LINGER = 1.5;
/** The maximum number of points in a trail. */
const TRAIL = 400;

export class Moment {
  constructor() {
    this.time = 0;
    this.touches = new Map();      // by number
    this.recognizers = new Map();  // by number
    this.pages = [];
    this.views = new Map();        // changed views by id
    this.queue = {frames: 0, age: 0};
    this.latency = null;
    this.began = [];               // {x, y, screen, view, pages} of each touch that began
    this.dropped = 0;
  }

  /** Applies the next record. */
  apply(record) {
    this.time = record.time;
    this.queue = record.queue;
    if (record.latency !== undefined) this.latency = record.latency;
    // A touch belongs to the page on which it began, even if its handler shows another one.
    const pages = this.pages;
    if (record.pages) this.pages = record.pages;
    if (record.views) this.views = new Map(record.views.map((view) => [view.view, view]));
    if (record.whole) this.#forgetAllBut(new Set(record.touches.map((told) => told.touch)));
    for (const touch of record.touches) this.#touch(touch, pages);
    for (const change of record.changes) this.#change(change, record.time);
    for (const [number, touch] of this.touches) {
      if (touch.over !== null && this.time - touch.over > LINGER) this.touches.delete(number);
    }
  }

  /** Forgets the touches whose end was missed. */
  #forgetAllBut(numbers) {
    for (const [number, touch] of this.touches) if (touch.over === null && !numbers.has(number)) this.touches.delete(number);
  }

  #touch(told, pages) {
    let touch = this.touches.get(told.touch);
    if (!touch) {
      touch = {number: told.touch, pages, trail: [], handlers: [], over: null, path: [], responders: [], recognizers: []};
      this.touches.set(told.touch, touch);
    }
    Object.assign(touch, {
      source: told.source, phase: told.phase, raw: told.raw, x: told.x, y: told.y, view: told.view ?? null,
      screen: told.screen ?? null, forwarded: told.forwarded ?? null,
    });
    if (told.attachment) {
      touch.private = told.attachment.private;
      touch.path = told.attachment.path;
      touch.responders = told.attachment.responders;
      touch.recognizers = told.attachment.recognizers.map((recognizer) => recognizer.recognizer);
      for (const recognizer of told.attachment.recognizers) {
        const known = this.recognizers.get(recognizer.recognizer);
        // Its state for earlier touches no longer applies.
        const changes = recognizer.state === "possible" ? [] : known?.changes ?? [];
        this.recognizers.set(recognizer.recognizer, {...recognizer, changes});
      }
    }
    if (told.x !== undefined) {
      touch.trail.push([told.x, told.y]);
      if (touch.trail.length > TRAIL) touch.trail.shift();
      if (told.phase === "began") {
        this.began.push({x: told.x, y: told.y, screen: touch.screen, view: touch.view, pages});
      }
    }
    for (const name of told.handlers) touch.handlers.push({phase: told.phase, name});
    if (told.phase === "ended" || told.phase === "cancelled") touch.over = this.time;
  }

  #change(change, time) {
    const recognizer = this.recognizers.get(change.recognizer) ??
      {recognizer: change.recognizer, gesture: change.gesture, id: change.id, view: change.view, changes: []};
    // A return to possible is not a decision; the last decision is shown.
    if (change.to !== "possible") {
      recognizer.state = change.to;
      // All recognizers of a private view have one number.
      recognizer.gesture = change.gesture;
      recognizer.changes = [...recognizer.changes.slice(-5), {from: change.from, to: change.to, time}];
    }
    this.recognizers.set(change.recognizer, recognizer);
  }

  /** The visible touches, the newest last. */
  get visible() { return [...this.touches.values()]; }
}

/** The moment after a number of records of a recording; at first its pages have appeared. */
export function momentAfter(records, count, pages = [], views = []) {
  const moment = new Moment();
  moment.pages = pages;
  moment.views = new Map(views.map((view) => [view.view, view]));
  for (let index = 0; index < count; index += 1) moment.apply(records[index]);
  return moment;
}
