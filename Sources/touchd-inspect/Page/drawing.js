// Draws a layout, touches and the tested point into an SVG whose units are points of the screen.

const SVG = "http://www.w3.org/2000/svg";

/** Creates an SVG element. */
export function element(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** The views that a screen shows: those of its page, and in front of them those of every page. */
export function shownViews(layout, screen, page) {
  const name = screen.name ?? "";
  const first = layout.screens[0].name ?? "";
  const shown = layout.pages.find((candidate) => candidate.name === page);
  return [...(shown?.views ?? []), ...(layout.everywhere[name === first ? "" : name] ?? [])];
}

/** All views of a list, with subviews after their superviews. */
export function* everyView(views) {
  for (const view of views) {
    yield view;
    yield* everyView(view.views);
  }
}

export class Drawing {
  constructor(svg) {
    this.svg = svg;
    this.layers = {};
  }

  /** Draws the views; `changed` returns the state of a view, including changes by a trial and the running touchd. */
  draw(screen, views, changed) {
    const unit = Math.max(screen.width, screen.height) / 1000;
    this.unit = unit;
    // In a high window the picture stays at the top.
    this.svg.setAttribute("preserveAspectRatio", "xMidYMin meet");
    this.svg.setAttribute("viewBox", `${-8 * unit} ${-8 * unit} ${screen.width + 16 * unit} ${screen.height + 16 * unit}`);
    const hatch = element("pattern", {
      id: "hatch", width: 12 * unit, height: 12 * unit, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
    }, element("rect", {width: 12 * unit, height: 12 * unit, class: "hatch-ground"}),
    element("line", {y2: 12 * unit, "stroke-width": 8 * unit, class: "hatch-line"}));
    const dots = element("pattern", {id: "dots", width: 10 * unit, height: 10 * unit, patternUnits: "userSpaceOnUse"},
      element("circle", {cx: 5 * unit, cy: 5 * unit, r: 2 * unit, class: "dot"}));
    const arrow = element("marker", {
      id: "arrow", markerWidth: 6, markerHeight: 6, refX: 5, refY: 3, orient: "auto",
    }, element("path", {d: "M0,0 L6,3 L0,6 z", class: "arrow-head"}));
    const layers = ["views", "heat", "axes", "raw", "touches", "cross"].map((name) => {
      this.layers[name] = element("g", {class: name});
      return this.layers[name];
    });
    this.svg.replaceChildren(
      element("defs", {}, hatch, dots, arrow),
      element("rect", {width: screen.width, height: screen.height, class: "screen"}), ...layers);
    this.groups = new Map();
    this.screen = screen;
    for (const view of views) this.layers.views.append(this.#view(view, changed, false));
  }

  #view(view, changed, isInHidden) {
    const now = changed(view);
    const [x, y, width, height] = now.frame;
    const t = view.transform;
    const transform = t
      ? `translate(${x + width / 2} ${y + height / 2}) matrix(${t.join(" ")}) translate(${-width / 2} ${-height / 2})`
      : `translate(${x} ${y})`;
    const isHidden = isInHidden || now.hidden || view.transparent;
    const kind = view.control ? "control" : view.gestures.length > 0 ? "gesture" : view.handlers.length > 0 ? "handler" : "plain";
    const classes = ["view", kind];
    if (isHidden) classes.push("is-hidden");
    if (!now.enabled) classes.push("is-disabled");
    if (view.passthrough) classes.push("is-passthrough");
    if (view.private) classes.push("is-private");
    if (view.publisher) classes.push("is-published");
    if (now.isTried) classes.push("is-tried");
    const group = element("g", {transform, class: classes.join(" "), "data-key": view.key, "data-id": view.id});
    if (view.publisher) {
      const title = element("title");
      title.textContent = `${view.id ?? "view"}, published by ${view.publisher}`;
      group.append(title);
    }
    group.append(this.#shape(view, width, height));
    const label = this.#label(view, width, height);
    for (const child of view.views) group.append(this.#view(child, changed, isHidden));
    if (label) group.append(label);
    this.groups.set(view.key, group);
    return group;
  }

  #shape(view, width, height) {
    const common = {class: "shape"};
    if (view.shape === "ellipse") {
      return element("ellipse", {...common, cx: width / 2, cy: height / 2, rx: width / 2, ry: height / 2});
    }
    if (view.shape === "polygon") return element("polygon", {...common, points: view.points.join(" "), "fill-rule": "evenodd"});
    const radius = view.shape === "rounded" ? Math.min(view.radius, width / 2, height / 2) : undefined;
    return element("rect", {...common, width, height, rx: radius});
  }

  #label(view, width, height) {
    if (!view.id) return null;
    const hasViews = view.views.length > 0;
    const size = Math.min(height * (hasViews ? 0.12 : 0.4), 26 * this.unit, 1.6 * width / view.id.length);
    if (size < 5 * this.unit) return null;
    const y = hasViews ? size * 1.2 : height / 2 + size / 3;
    const label = element("text", {x: width / 2, y, "font-size": size, class: "name"});
    label.textContent = view.id;
    return label;
  }

  /** Marks the views that touches are on, by their ids. */
  mark(ids) {
    for (const group of this.groups.values()) {
      group.classList.toggle("is-hit", group.dataset.id !== undefined && ids.has(group.dataset.id));
    }
  }

  /** Draws the touches; each can be selected. */
  drawTouches(touches, chosen, choose) {
    const unit = this.unit;
    this.layers.touches.replaceChildren(...touches.filter((touch) => touch.x !== undefined).map((touch) => {
      const group = element("g", {class: `touch ${touch.phase}${touch.number === chosen ? " is-chosen" : ""}`, "data-touch": touch.number});
      if (touch.trail.length > 1) {
        group.append(element("polyline", {class: "trail", "stroke-width": 4 * unit, points: touch.trail.map((p) => p.join(",")).join(" ")}));
      }
      const size = 14 * unit;
      const mark = {x: touch.x, y: touch.y};
      if (touch.phase === "ended") {
        group.append(element("rect", {x: mark.x - size, y: mark.y - size, width: 2 * size, height: 2 * size, class: "mark", "stroke-width": 4 * unit}));
      } else if (touch.phase === "cancelled") {
        group.append(element("path", {
          d: `M${mark.x - size},${mark.y - size} l${2 * size},${2 * size} m0,${-2 * size} l${-2 * size},${2 * size}`, class: "mark", "stroke-width": 6 * unit,
        }));
      } else {
        group.append(element("circle", {cx: mark.x, cy: mark.y, r: size, class: "mark", "stroke-width": 4 * unit}));
      }
      const label = element("text", {x: mark.x + 20 * unit, y: mark.y - 16 * unit, "font-size": 22 * unit, class: "number"});
      label.textContent = `${touch.number}`;
      group.append(label);
      group.addEventListener("pointerenter", () => choose(touch.number));
      return group;
    }));
  }

  /** Draws the cross at the tested point, or removes it. */
  drawCross(point) {
    const size = 24 * this.unit;
    this.layers.cross.replaceChildren(...(point ? [element("path", {
      d: `M${point.x - size},${point.y} h${2 * size} M${point.x},${point.y - size} v${2 * size}`, class: "cross-mark", "stroke-width": 3 * this.unit,
    })] : []));
  }

  /** Draws the number of touches that began in each cell, {x, y, size, count}: more touches, larger disc. */
  drawHeat(cells) {
    const most = Math.max(2, ...cells.map((cell) => cell.count));
    this.layers.heat.replaceChildren(...cells.map((cell) => {
      const radius = cell.size * (0.5 + 0.5 * Math.log(cell.count) / Math.log(most));
      const disc = element("circle", {
        cx: cell.x + cell.size / 2, cy: cell.y + cell.size / 2, r: radius, class: "heat-cell", "stroke-width": 2 * this.unit,
      });
      const title = element("title");
      title.textContent = `${cell.count} ${cell.count === 1 ? "touch" : "touches"} began here`;
      disc.append(title);
      return disc;
    }));
  }

  /** Marks the views with an effect that were not touched. */
  markDead(keys) {
    for (const [key, group] of this.groups) group.classList.toggle("is-dead", keys.has(key));
  }

  /** Draws each touch's uncalibrated position: a diamond, with a line to the touch. */
  drawRaw(touches, devices) {
    const {width, height} = this.screen, size = 12 * this.unit;
    this.layers.raw.replaceChildren(...touches.flatMap((touch) => {
      const device = devices.find((device) => device.source === touch.source);
      if (!touch.raw || touch.over !== null || !device?.x || !device.y) return [];
      const [u, v] = unitPlace(device, touch.raw), x = u * width, y = v * height;
      return [
        element("line", {x1: x, y1: y, x2: touch.x, y2: touch.y, class: "raw-line", "stroke-width": 3 * this.unit}),
        element("path", {
          d: `M${x - size},${y} l${size},${-size} l${size},${size} l${-size},${size} z`, class: "raw-mark", "stroke-width": 4 * this.unit,
        }),
      ];
    }));
  }

  /** Draws the position of a device's own axes on the screen, or nothing. */
  drawAxes(device) {
    const {width, height} = this.screen;
    const layer = this.layers.axes;
    this.layers.raw.replaceChildren();
    if (!device) return layer.replaceChildren();
    const at = (u, v) => {
      const point = mapped(device, u, v);
      return [point.x * width, point.y * height];
    };
    const outline = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([u, v]) => at(u, v).join(",")).join(" ");
    const arrow = (u, v, name) => {
      const [fromX, fromY] = at(0.08, 0.08), [toX, toY] = at(0.08 + 0.5 * u, 0.08 + 0.5 * v);
      // Beyond the head, so that the arrow does not cross it.
      const length = Math.hypot(toX - fromX, toY - fromY) || 1, x = (toX - fromX) / length, y = (toY - fromY) / length;
      const label = element("text", {
        x: toX + 14 * this.unit * x, y: toY + (y > 0.5 ? 30 : y < -0.5 ? -10 : 8) * this.unit, "font-size": 24 * this.unit,
        class: "axis-name", "text-anchor": x > 0.5 ? "start" : x < -0.5 ? "end" : "middle",
      });
      label.textContent = name;
      return [element("line", {
        x1: fromX, y1: fromY, x2: toX, y2: toY, class: "axis", "stroke-width": 5 * this.unit, "marker-end": "url(#arrow)",
      }), label];
    };
    layer.replaceChildren(
      element("polygon", {points: outline, class: "surface", "stroke-width": 5 * this.unit}), ...arrow(1, 0, "raw x"), ...arrow(0, 1, "raw y"));
  }
}

/** The position of a touch in its device's unit square. */
export function unitPlace(device, raw) {
  const part = (value, axis) => (value - axis.minimum) / (axis.maximum - axis.minimum + 1);
  return [part(raw[0], device.x), part(raw[1], device.y)];
}

/** The position of a point of a device's unit square, in fractions of the screen. */
export function mapped(device, u, v) {
  const [a, b, c, d, e, f] = device.matrix;
  const clamp = (value) => Math.min(Math.max(value, 0), 1);
  const [left, top, width, height] = device.region;
  return {x: left + clamp(a * u + b * v + c) * width, y: top + clamp(d * u + e * v + f) * height};
}

/** The direction of a device's axis on the screen, in a word. */
export function direction(device, u, v) {
  const from = mapped(device, 0.5, 0.5), to = mapped(device, 0.5 + 0.4 * u, 0.5 + 0.4 * v);
  const x = to.x - from.x, y = to.y - from.y;
  if (Math.abs(x) >= Math.abs(y)) return x >= 0 ? "right" : "left";
  return y >= 0 ? "down" : "up";
}
