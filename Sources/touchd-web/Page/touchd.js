// Publishes elements with data-touchd as views of touchd and dispatches touchd's events on them. At every point of the
// page touchd touches what document.elementFromPoint finds there, or its nearest ancestor with data-touchd. Every touch,
// press and gesture that began ends, also when the connection does. docs/web.md describes the attributes.
(() => {
if (top !== window) throw Error("touchd.js works in no frame");
const doc = document;
// A module has no current script.
const script = doc.currentScript ?? doc.querySelector("script[src*='touchd.js']");
const { src, dataset: { slot = "page", token, click, labels } } = script;
const button = click != null ? "*" : "button, a[href], [role=button], [type=button], [type=submit]";
const to = ["touches", "gestures", "controls", "pages", "idle", "published", ...labels != null ? ["accessibility"] : []];
const live = new Map(), waiting = new Map(), ids = new WeakMap(), roots = new Set();
let socket, retry, size, isBusy, isDue, isMissed, isTaken, isDoubtful, isFollowing, wasSeen, survey;
let isTalking, focus, marked;
let number = 0, last = {}, elements = new Map();

const emit = (target, name, detail, cancelable) =>
  target.dispatchEvent(new CustomEvent("touchd:" + name, { bubbles: true, composed: true, cancelable, detail }));

const report = (error) => emit(doc, "error", error) && console.error(error);

// MARK: The connection

const request = (message) => new Promise((resolve, reject) => {
  const text = JSON.stringify({ ...message, id: ++number });
  if (socket?.readyState !== 1) return reject(Error("touchd is not connected"));
  if (text.length > 1 << 18 && new Blob([text]).size > 1 << 20)
    return reject(Error("touchd takes requests of at most 1 MiB: publish fewer elements"));
  waiting.set(number, { resolve, reject });
  socket.send(text);
});

async function begin() {
  const { slots } = await request({ request: "layout" });
  if (isTaken) return;
  size = slots.find((one) => one.slot === slot);
  if (!size) throw Error(`the layout has no slot '${slot}'`);
  last = {};
  dirty();
}

function connect() {
  // A page may come back before it has tried again.
  clearTimeout(retry);
  const protocols = token ? ["touchd", "touchd.token." + token] : [];
  const own = socket = new WebSocket(new URL("/events", src.replace("http", "ws")), protocols);
  socket.onopen = async () => {
    try {
      await request({ request: "subscribe", to, moves: true });
      const { screens = [], toggles = [], ignoring } = await request({ request: "layout" });
      touchd.connected = true;
      emit(doc, "connected", { screens, toggles, ignoring });
      for (const { page } of screens) if (page) emit(doc, "page", { page });
      await begin();
    } catch (error) {
      report(error);
    }
  };
  socket.onmessage = ({ data }) => receive(JSON.parse(data));
  socket.onclose = () => {
    if (own !== socket) return;
    disconnect();
    retry = setTimeout(connect, 1000);
  };
}

function disconnect() {
  socket.close();
  socket = size = isTaken = null;
  for (const { reject } of waiting.values()) reject(Error("touchd is not connected"));
  waiting.clear();
  endAll();
  if (touchd.connected) emit(doc, "disconnected");
  touchd.connected = false;
}

// MARK: The page as it is painted

// A rectangle is [left, top, right, bottom], in CSS pixels of the window; another polygon is a list of points.
const isRect = (shape) => typeof shape[0] === "number";
const outerOf = (node) => node.parentElement ?? node.getRootNode().host;
const holds = (a, b) => a[0] <= b[0] + 0.1 && a[1] <= b[1] + 0.1 && a[2] >= b[2] - 0.1 && a[3] >= b[3] - 0.1;
const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
const common = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
const corners = ([left, top, right, bottom]) => [[left, top], [right, top], [right, bottom], [left, bottom]];
const points = (shape) => isRect(shape) ? corners(shape) : shape;
const middle = (shape) => isRect(shape) ? [(shape[0] + shape[2]) / 2, (shape[1] + shape[3]) / 2]
  : [0, 1].map((axis) => shape.reduce((sum, point) => sum + point[axis], 0) / shape.length);
const bounds = (shapes) => shapes.length === 1 && isRect(shapes[0]) ? shapes[0] : [Math.min, Math.max].flatMap((limit) =>
  [0, 1].map((axis) => limit(...shapes.flatMap(points).map((point) => point[axis]))));

// The part of the window on the screen: all of it, except while the page is magnified.
const shown = ({ offsetLeft: x, offsetTop: y, scale } = visualViewport) =>
  [x, y, x + innerWidth / scale, y + innerHeight / scale];

// The part of a shape in a rectangle.
const clip = (shape, rect) => isRect(shape) ? common(shape, rect) : rect.reduce((shape, limit, side) => {
  const axis = side % 2, isIn = (point) => side < 2 ? point[axis] >= limit : point[axis] <= limit;
  return shape.flatMap((point, index) => {
    const before = shape.at(index - 1), ratio = (limit - before[axis]) / (point[axis] - before[axis]);
    const crossing = isIn(point) === isIn(before) ? [] : [before.map((value, i) => value + ratio * (point[i] - value))];
    return isIn(point) ? [...crossing, point] : crossing;
  });
}, shape);

// The boxes of all elements, and what the browser says about those that overlap. All boxes are read first, because a
// change of the page between two reads costs a layout.
class Survey {
  boxes = [];
  owners = [];
  styles = new Map();
  answers = new Map();
  window = shown();

  constructor() {
    this.isDoubtful = isDoubtful || !!doc.querySelector("[inert], :modal");
    roots.clear();
    this.visit(doc.documentElement);
    this.findOverlaps();
    this.step = Math.ceil(this.boxes.length / 100);
    for (const owner of this.owners) for (const box of owner.items) box.isHidden ??= this.isHidden(owner, box);
    this.areas = this.owners.map((owner) => this.area(owner));
  }

  // Adds the boxes of an element and its descendants, in their order. An owner is an element with data-touchd, or one that
  // is read; its items are its boxes, and those of descendants outside of them.
  visit(node, owner) {
    const rects = node.getClientRects(), isDrawn = !!node.ownerSVGElement;
    if (!rects.length && !isDrawn && getComputedStyle(node).display === "none") return;
    const isText = isRead(node, owner), isOwner = isText || node.hasAttribute("data-touchd");
    const element = { node, owner, isOwner, isText, items: [], first: this.boxes.length };
    if (isOwner) this.owners.push(element);
    // A group of shapes has no area itself.
    if (!isDrawn || !/^(g|a|defs|use)$/.test(node.localName))
      for (const { left, top, right, bottom } of rects) this.add(element, [left, top, right, bottom]);
    // Its backdrop is hit as the dialog itself.
    if (node.localName === "dialog" && node.matches(":modal")) this.add(element, this.window);
    const inner = element.isOwner ? element : owner;
    if (node.shadowRoot) {
      watch(node.shadowRoot);
      for (const child of node.shadowRoot.children) this.visit(child, inner);
    }
    // An image's shapes are inside of it.
    if (node.localName !== "svg" || node.querySelector("[data-touchd]"))
      for (let child = node.firstElementChild; child; child = child.nextElementSibling) this.visit(child, inner);
    element.end = this.boxes.length;
  }

  add(element, rect) {
    const [left, top, right, bottom] = rect, box = { element, rect, index: this.boxes.length, over: [] };
    if (right - left < 0.5 || bottom - top < 0.5 || !overlap(rect, this.window)) return;
    for (let owner = element.isOwner ? element : element.owner; owner; owner = owner.owner) {
      const isSolid = this.isSolid(owner);
      if (!isSolid && owner === element) continue;
      if (owner !== element && owner.items.some((item) => item.element === owner && holds(item.rect, rect))) {
        // It is touched with its owner, and covers no more than that.
        if (owner.isLeaf && !box.isItem) return;
        break;
      }
      owner.items.push(box);
      box.isItem = true;
    }
    this.boxes.push(box);
  }

  // Whether the browser hits the element itself, not only its descendants.
  isSolid(owner) {
    if (owner.isSolid === undefined) {
      const { css: { pointerEvents, visibility } } = this.style(owner.node);
      owner.isSolid = pointerEvents !== "none" && visibility === "visible";
      owner.isLeaf = owner.isSolid && !roots.size && !owner.node.querySelector("[data-touchd]");
    }
    return owner.isSolid;
  }

  findOverlaps() {
    let open = [];
    for (const box of [...this.boxes].sort((a, b) => a.rect[1] - b.rect[1])) {
      open = open.filter((other) => other.rect[3] > box.rect[1]);
      for (const other of open) if (other.rect[0] < box.rect[2] && box.rect[0] < other.rect[2]) {
        if (box.isItem) box.over.push(other);
        if (other.isItem) other.over.push(box);
      }
      open.push(box);
    }
  }

  // How an element and those around it are turned, where they clip its content, and whether something else does.
  style(node) {
    if (!node) return { clip: this.window };
    let style = this.styles.get(node);
    if (style) return style;
    const css = getComputedStyle(node), outer = this.style(outerOf(node));
    let { clip, turn, isOdd } = outer;
    if (node.firstElementChild && (css.overflow !== "visible" || css.contain !== "none")) {
      const { left, top, width } = node.getBoundingClientRect(), scale = width / node.offsetWidth || 1;
      const x = left + node.clientLeft * scale, y = top + node.clientTop * scale;
      clip = common(clip, [x, y, x + node.clientWidth * scale, y + node.clientHeight * scale]);
    }
    const { rotate, scale, transform } = css;
    if (rotate !== "none" || scale !== "none" || transform !== "none") {
      const words = [`rotate(${rotate})`, `scale(${scale.replace(" ", ",")})`, transform];
      turn = (turn ?? new DOMMatrix()).multiply(new DOMMatrix(words.filter((word) => !word.includes("none")).join(" ")));
      isOdd ||= !turn.is2D;
    }
    isOdd ||= css.clipPath !== "none";
    // Then its parent may cover it.
    this.isDoubtful ||= css.zIndex < 0;
    this.styles.set(node, style = { css, clip, turn, isOdd });
    return style;
  }

  // The element that the browser hits, in open shadow roots too.
  ask(point) {
    const [x, y] = point.map(Math.floor), key = x + y * 65536;
    let node = this.answers.get(key);
    if (node !== undefined) return node;
    node = doc.elementFromPoint(x, y);
    for (let inner; (inner = node?.shadowRoot?.elementFromPoint(x, y)) && inner !== node;) node = inner;
    this.answers.set(key, node);
    return node;
  }

  takes(owner, point) {
    let node = this.ask(point);
    while (node && node !== owner.node) node = outerOf(node);
    return !!node;
  }

  // Whether an owner takes a shape, by two questions: its text may be in front of what covers it.
  takesAll(owner, shape) {
    const center = middle(shape), isTaken = this.takes(owner, center);
    const first = points(shape)[0].map((value, axis) => value + Math.sign(center[axis] - value));
    return this.takes(owner, first) === isTaken ? isTaken : undefined;
  }

  // Whether a box may cover an owner: it is neither inside of it nor around it.
  isForeign(owner, { index, element }, isDoubtful = this.isDoubtful) {
    return (index < owner.first || index >= owner.end)
      && (isDoubtful || element.first >= owner.first || element.end <= owner.first);
  }

  // Whether one element is in front of a whole box, as on the pages of a slide show: then it covers nothing itself.
  isHidden(owner, box) {
    const rect = common(box.rect, this.window), ends = corners([rect[0], rect[1], rect[2] - 1, rect[3] - 1]);
    return box.over.some((other) => holds(other.rect, rect) && this.isForeign(owner, other, false) && !this.isPartial(other)
      && [middle(rect), ...ends].every((point) => this.takes(other.element, point)));
  }

  // The shape that an element covers in its box, whether that is less than the box, the radius of its corners, and whether
  // only questions find it.
  outline({ element: { node }, rect }) {
    const { css, turn, isOdd } = this.style(node), [left, top, right, bottom] = rect;
    if (node.getTotalLength) {
      const length = node.getTotalLength(), count = Math.min(64, Math.max(12, length / 3 | 0));
      const screen = node.getScreenCTM(), pointAt = (_, step) => node.getPointAtLength(length * step / count);
      const shape = Array.from(node.points ?? Array.from({ length: count }, pointAt), (point) => {
        const { x, y } = point.matrixTransform(screen);
        return [x, y];
      });
      return { shape, isPartial: true, isOdd: isOdd || css.fill === "none" };
    }
    const words = css.borderRadius;
    if (!turn && words === "0px") return { shape: rect, isOdd };
    const width = node.offsetWidth, height = node.offsetHeight, isPart = words.endsWith("%");
    const radius = Math.min(parseFloat(words) * (isPart ? width / 100 : 1), width / 2, height / 2);
    if (turn && Math.abs(turn.b * turn.a) + Math.abs(turn.c * turn.d) > 0.001) {
      const shape = corners([-width, -height, width, height]).map(([x, y]) =>
        [(left + right + turn.a * x + turn.c * y) / 2, (top + bottom + turn.b * x + turn.d * y) / 2]);
      return { shape, isPartial: true, isOdd: isOdd || radius > 4 };
    }
    const isUneven = words.includes(" ") || isPart && width !== height, scale = (right - left) / width;
    return { shape: rect, isPartial: radius > 8 || isUneven, radius: radius * scale, isOdd: isOdd || isUneven };
  }

  isPartial(box) {
    return (box.outline ??= this.outline(box)).isPartial || box.outline.isOdd;
  }

  // The shapes in which touches are an owner's.
  area(owner) {
    return owner.items.flatMap((box, number) => {
      const { node } = box.element, rect = common(box.rect, this.window), limit = this.style(outerOf(node)).clip;
      if (box.isHidden) return [];
      const others = box.over.filter((other) => !other.isHidden && this.isForeign(owner, other)
        // A box that is behind it at one place is behind it everywhere.
        && (this.isPartial(other) || !this.takesAll(owner, common(rect, other.rect))));
      const { shape, radius, isOdd } = this.outline(box);
      // Of two boxes that stick out, one may lie behind what is around them (z-index: -1).
      const isTraced = isOdd || others.length > 0 && radius > 8 || this.isDoubtful && number > 0;
      const isCut = !holds(limit, rect), asks = this.isDoubtful || isCut || isTraced || !this.isSolid(owner);
      if (isCut) others.push({ rect: limit });
      for (let index = 0; index < number; index++) others.push({ rect: owner.items[index].rect, isDone: true });
      const parts = this.parts(owner, shape, rect, others, asks, isTraced);
      if (parts !== true) return parts;
      // A few questions show what no box does, such as pseudo-elements that cover others.
      if (!asks && box.index % this.step === 0 && !node.getTotalLength) this.isWrong ||= !this.takes(owner, middle(shape));
      // The browser hits a box in each pixel that it touches.
      const part = isRect(shape) ? rect.map((value, side) => side < 2 ? Math.floor(value + 0.01) : Math.ceil(value - 0.01))
        : clip(shape, rect);
      if (radius) part.radius = radius;
      return [part];
    });
  }

  // The parts of a shape in a rectangle that an owner takes; true for all.
  parts(owner, shape, rect, others, asks, isTraced) {
    others = others.filter((other) => overlap(other.rect, rect));
    for (const other of others) for (const [side, value] of other.rect.entries()) {
      const axis = side % 2;
      if (value > rect[axis] + 0.1 && value < rect[axis + 2] - 0.1)
        return this.halves(shape, rect, axis, value, (half) => this.parts(owner, shape, half, others, asks, isTraced));
    }
    if (others.some((other) => other.isDone)) return [];
    if (!others.length && !asks) return true;
    const part = clip(shape, rect), isAsked = isTraced || others.some((other) => other.element && this.isPartial(other));
    const isTaken = isAsked ? undefined : part.length > 2 && this.takesAll(owner, part);
    return isTaken === undefined ? this.trace(owner, rect.map(Math.round)) : isTaken || [];
  }

  halves(shape, rect, axis, value, parts) {
    const halves = [rect.with(axis + 2, value), rect.with(axis, value)], both = halves.map(parts);
    return both.every((some) => some === true) || both.flatMap((some, i) =>
      some === true ? [clip(shape, halves[i])].filter((part) => part.length > 2) : some);
  }

  // Finds the parts by asking at ever closer points, where neither boxes nor outlines give them.
  trace(owner, rect) {
    const [left, top, right, bottom] = rect, all = corners(rect), length = Math.max(right - left, bottom - top);
    const ends = corners([left, top, right - 1, bottom - 1]).map((point) => this.takes(owner, point));
    const isTaken = this.takes(owner, middle(rect));
    if (length <= 20 && ends.every((end) => end === isTaken)) return isTaken || [];
    if (length > 8) {
      let axis = right - left > bottom - top ? 0 : 1, value = Math.round((rect[axis] + rect[axis + 2]) / 2);
      // An edge along an axis is found exactly.
      for (const [way, a, b, c, d] of [[0, 0, 1, 3, 2], [1, 0, 3, 1, 2]]) {
        if (ends[a] === ends[b] || ends[a] !== ends[c] || ends[b] !== ends[d]) continue;
        const [first, second] = [a, c].map((corner) => this.change(owner, all[corner][1 - way], rect, way, ends[a]));
        if (first === second && first > rect[way]) [axis, value] = [way, first];
      }
      return this.halves(rect, rect, axis, value, (half) => this.trace(owner, half));
    }
    // The corners that are taken, and where the answer changes between two.
    const piece = all.flatMap((corner, side) => {
      const next = (side + 1) % 4, way = side % 2, isChange = ends[side] !== ends[next];
      const change = isChange && this.change(owner, corner[1 - way], rect, way, ends[side < 2 ? side : next]);
      return [...ends[side] ? [corner] : [], ...isChange ? [corner.with(way, change)] : []];
    });
    return piece.length > 2 ? [piece] : [];
  }

  // The first place on a side of a rectangle where the answer is not the one at its start.
  change(owner, across, rect, axis, atStart) {
    let low = rect[axis], high = rect[axis + 2] - 1;
    const place = Math.min(across, rect[3 - axis] - 1);
    while (high - low > 1) {
      const value = (low + high) >> 1;
      this.takes(owner, axis ? [place, value] : [value, place]) === atStart ? low = value : high = value;
    }
    return high;
  }
}

// MARK: Publishing

const words = (text) => text?.trim() ? text.trim().split(/\s+/) : undefined;

// The gestures of an attribute: NAME or NAME:VALUE, and with + between those that are recognized together.
const gesturesOf = (text, id) => words(text)?.flatMap((word) => word.split("+").map((one, _, all) => {
  const [name, value] = one.split(":"), member = { tap: "taps", "long-press": "duration" }[name];
  const gesture = { [name]: value === undefined ? {} : member ? { [member]: +value } : value };
  const others = all.filter((other) => other !== one).map((other) => `${id}.${other.split(":")[0]}`);
  return others.length ? { ...gesture, id: `${id}.${name}`, "together-with": others } : gesture;
}));

// An element's own id; a generated one if it has none, if it is only read, or if another element has it too.
function nameOf({ node, isText }, taken) {
  const id = node.getAttribute("data-touchd") || node.id;
  if (id && !isText && !taken.has(id)) return id;
  if (!ids.has(node)) ids.set(node, `touchd-${slot}-${++number}`);
  return ids.get(node);
}

// A text as touchd takes it.
const short = (text) => [...text?.replace(/[\s\p{Cc}]+/gu, " ").trim() ?? ""].slice(0, 128).join("") || undefined;

// An element's name: a part of the rules for names (accname-1.2). Text counts only of what is pressed and of headings,
// because that of a list is the whole list.
function labelOf(node, isNamedByText) {
  const named = words(node.getAttribute("aria-labelledby"))?.map((id) => node.getRootNode().getElementById(id)?.textContent);
  const own = /^(button|submit|reset)$/.test(node.type) && node.value || isNamedByText && node.textContent || "";
  const picture = isNamedByText ? node.querySelector("img[alt], [aria-label]") : null;
  const texts = [named?.join(" "), node.getAttribute("aria-label"), node.labels?.[0]?.textContent, node.alt, own,
    picture?.alt ?? picture?.getAttribute("aria-label"), node.title];
  return short(texts.find((text) => text?.trim()));
}

const roles = { slider: "slider", range: "slider", checkbox: "toggle", switch: "toggle", radio: "toggle", img: "image",
  link: "link", heading: "heading", button: "button" };

const languageOf = (node) => node.closest("[lang]")?.lang.match(/^[a-z]{2,3}(-[a-z\d]{2,8})*$/i)?.[0];

// An element as the talking mode reports it; of a private element and what is in it, only the name.
function elementOf(node, kind) {
  const aria = (name) => node.getAttribute("aria-" + name), { localName, type, checked } = node, isToggle = aria("pressed");
  const implied = /^h[1-6]$/.test(localName) ? "heading" : node.href ? "link" : localName === "img" ? "img" : type;
  const role = isToggle !== null ? "toggle" : roles[node.getAttribute("role") ?? implied];
  const text = labelOf(node, kind || role === "heading"), tag = languageOf(node), label = text && tag ? { [tag]: text } : text;
  return node.closest("[data-touchd-private]") ? { label } : {
    label,
    role,
    state: { true: "on", false: "off" }[isToggle ?? aria("checked") ?? (/^(checkbox|radio)$/.test(type) ? checked : "")],
    value: short(aria("valuetext") ?? (type === "range" ? node.value : aria("valuenow"))),
  };
}

const readOnly = ":is(h1, h2, h3, h4, h5, h6, [role=heading], img[alt]:not([alt='']), [role=img]):not([data-touchd])";

// Whether an element without data-touchd is read: it is not a part of one that is pressed or read as a whole.
function isRead(node, owner) {
  if (labels == null || !node.matches(readOnly) || node.closest("[data-touchd-private], [aria-hidden=true]")) return false;
  return !owner || !owner.isText && (!kindOf(owner.node) || owner.node.hasAttribute("data-touchd-gestures"));
}

const kindOf = (node) => node.getAttribute("data-touchd-control")
  ?? (node.type === "checkbox" ? "toggle" : node.matches(button) ? "button" : "");

// The view of an element, without its place.
function describe({ node, isText }, id) {
  if (isText) return { id, ...elementOf(node), passthrough: true };
  const attribute = (name) => node.getAttribute("data-touchd-" + name);
  const gestures = gesturesOf(attribute("gestures"), id), on = words(attribute("on"))?.map((word) => word.split(":"));
  const kind = kindOf(node);
  return {
    id,
    ...labels != null && elementOf(node, kind),
    control: kind === "toggle" ? { toggle: { on: !!node.checked } } : kind || undefined,
    gestures,
    "multiple-touch": gestures ? true : undefined,
    on: on && Object.fromEntries(on),
    private: attribute("private") !== null || undefined,
    enabled: node.matches(":disabled, [aria-disabled=true]") ? false : undefined,
  };
}

function collect() {
  survey = new Survey();
  const [left, top, right, bottom] = survey.window;
  if (survey.isWrong && !isDoubtful) {
    isDoubtful = true;
    return collect();
  }
  const scaleX = size.width / (right - left), scaleY = size.height / (bottom - top);
  const round = (value) => Math.round(value * 100) / 100;
  const root = { view: { views: [] }, frame: survey.window }, containers = new Map(), frames = new Map(), views = new Map();
  elements = new Map();
  for (const [index, owner] of survey.owners.entries()) {
    // A polygon has at most 4,000 corners.
    const area = survey.areas[index].slice(0, 600), [first] = area;
    let superview;
    for (let outer = owner.owner; outer && !superview; outer = outer.owner) superview = containers.get(outer);
    superview ??= root;
    // A subview that is out of sight stays, so that its superview stays the same.
    if (!first && superview === root) continue;
    const id = nameOf(owner, elements), view = describe(owner, id), [x, y] = superview.frame;
    if (owner.isText && !view.label) continue;
    const frame = first ? bounds(area) : [x, y, x, y];
    elements.set(id, owner.node);
    views.set(id, view);
    const width = (frame[2] - frame[0]) * scaleX, height = (frame[3] - frame[1]) * scaleY;
    frames.set(id, [(frame[0] - x) * scaleX, (frame[1] - y) * scaleY, width, height].map(round));
    (superview.view.views ??= []).push(view);
    if (view.gestures || view.private) containers.set(owner, { view, frame });
    if (area.length === 1 && isRect(first)) {
      if (first.radius) view.shape = { rounded: round(first.radius * scaleX) };
    } else if (first) {
      const parts = area.map(points);
      // The lines between the parts are passed twice, which has no effect by the even-odd rule.
      view.shape = { polygon: [...parts.flatMap((part) => [...part, part[0]]), ...parts.map(([point]) => point).reverse()]
        .map(([x, y]) => [round((x - frame[0]) * scaleX), round((y - frame[1]) * scaleY)]) };
    }
  }
  return { list: root.view.views, views, frames };
}

// Shows the page which element the talking mode is at.
function mark(view) {
  const node = elements.get(focus = view);
  if (node === marked) return;
  marked?.removeAttribute("data-touchd-focus");
  node?.setAttribute("data-touchd-focus", "");
  marked = node;
}

// Adjusts a slider by a tenth; one that is not the browser's by the key that its pattern has (ARIA).
function adjust(node, isUp) {
  if (node?.type !== "range") {
    const event = { key: isUp ? "ArrowUp" : "ArrowDown", bubbles: true, composed: true, cancelable: true };
    node?.dispatchEvent(new KeyboardEvent("keydown", event));
  } else {
    const tenth = Math.max(((node.max || 100) - node.min) / 10, +node.step || (node.step ? 0 : 1));
    node.valueAsNumber += isUp ? tenth : -tenth;
    for (const name of ["input", "change"]) node.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
  }
}

// Has the texts of live regions said that have changed.
const texts = new WeakMap();
function say() {
  for (const node of doc.querySelectorAll("[aria-live]:not([aria-live=off]), [role=status], [role=alert]")) {
    const isPrivate = node.closest("[data-touchd-private]") || node.querySelector("[data-touchd-private]");
    const text = !isPrivate && node.getClientRects().length ? short(node.innerText) : undefined;
    if (isTalking && text && text !== texts.get(node))
      request({ request: "say", text, language: languageOf(node) }).catch(report);
    texts.set(node, text);
  }
}

async function publish() {
  if (!size) return;
  if (labels != null) say();
  if (isBusy) return;
  const { list, views, frames } = collect(), shape = JSON.stringify(list), isSame = shape === last.shape;
  mark(focus);
  const isMoved = ([id, frame]) => frame.some((value, side) => value !== last.frames.get(id)?.[side]);
  const moved = isSame ? [...frames].filter(isMoved) : [];
  if (isSame && !moved.length) return;
  last = { shape, frames };
  isBusy = true;
  try {
    if (!isSame) for (const [id, view] of views) view.frame = frames.get(id);
    const { refused } = await request(isSame ? { request: "move", frames: Object.fromEntries(moved) }
      : { request: "views", slot, publisher: location.href, views: list }) ?? {};
    if (refused) report(Object.assign(Error(refused.map((one) => one.message).join("\n")), { views: refused }));
  } catch (error) {
    if (isSame) last = {};
    if (touchd.connected) report(error);
  }
  isBusy = false;
  if (isMissed) dirty();
}

function dirty() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    isMissed = isBusy;
    publish();
    follow();
  });
}

// No observer reports what an animation moves.
function follow() {
  if (isFollowing) return;
  const moving = [doc, ...roots].flatMap((root) => root.getAnimations()).filter(isMoving), isSeen = moving.some(matters);
  // Also when it has just left the last element that it covered.
  if (isSeen || wasSeen) dirty();
  else if (moving.length) requestAnimationFrame(() => (isFollowing = false, follow()));
  isFollowing = moving.length && !isDue;
  wasSeen = isSeen;
}

const still = /^(offset|computedOffset|easing|composite|opacity|filter|.*color|box-?shadow)$/i;
const turning = /^(transform|rotate|scale|translate)$/;
const changed = ({ effect, transitionProperty: name }) =>
  (name ? [name] : effect.getKeyframes().flatMap(Object.keys)).filter((name) => !still.test(name));
const isMoving = (animation) => animation.playState === "running" && animation.effect?.target && changed(animation).length;

// What turns or moves without what can be touched matters where it covers that, and a spinner in a button does not.
function matters(animation) {
  const { target } = animation.effect, { left, top, right, bottom } = target.getBoundingClientRect();
  return !survey || !changed(animation).every((name) => turning.test(name)) || !!target.querySelector("[data-touchd]")
    || survey.boxes.some(({ isItem, rect, element: { node } }) =>
      isItem && overlap(rect, [left, top, right, bottom]) && (node === target || !node.contains(target)));
}

// MARK: Events

function receive({ event, ...message }) {
  const { view, id = "", phase, control, gesture, trigger, change, error, ...detail } = message;
  const name = phase ?? control ?? gesture;
  if (!event) {
    const { resolve, reject } = waiting.get(id) ?? { reject: report };
    waiting.delete(id);
    error ? reject(Object.assign(Error(), error)) : resolve?.(message.result);
  } else if (name) {
    const key = phase ? "touch" + detail.touch : gesture ? gesture + id + view : /held|released/.test(control) && view;
    const isOver = /ended|cancelled|released|recognized/.test(phase ?? control ?? trigger);
    const begun = live.get(key), node = begun?.[0] ?? elements.get(view);
    live.delete(key);
    // After lost events, what has ended already does not end again.
    if (!node || !size || key && !begun && !/began|held|recognized/.test(phase ?? control ?? trigger)) return;
    // Points of the screen become CSS pixels of the window.
    const [left, top, right, bottom] = shown(), scale = [(right - left) / size.width, (bottom - top) / size.height];
    const length = (pair) => pair.map((value, axis) => value * scale[axis]);
    const place = (x, y) => [left + (x - size.x) * scale[0], top + (y - size.y) * scale[1]];
    if ("x" in detail) [detail.x, detail.y] = place(detail.x, detail.y);
    if ("width" in detail) [detail.width, detail.height] = length([detail.width, detail.height]);
    detail.coalesced &&= detail.coalesced.map(([x, y, ...rest]) => [...place(x, y), ...rest]);
    for (const key of ["translation", "velocity"]) if (detail[key]?.map) detail[key] = length(detail[key]);
    if (gesture) Object.assign(detail, { id, state: trigger });
    const isFirst = () => ![...live.keys()].some((other) => /^touch\d/.test(other));
    if (phase) detail.isPrimary = begun?.[2].isPrimary ?? isFirst();
    if (key && !isOver) live.set(key, [node, phase ? "cancelled" : gesture ?? "released", detail]);
    if (emit(node, name, detail, name === "pressed") && name === "pressed" && click != null) {
      node.focus({ preventScroll: true });
      // A drawn element (SVG) has no click().
      if (node.click) node.click();
      else node.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, cancelable: true }));
    }
  } else if (event === "slot") {
    endAll();
    isTaken = change === "taken";
    size = change === "resized" && message;
    if (size) dirty();
    else if (change === "emptied") begin().catch(report);
    else report(Error("another page took the slot"));
  } else if (event === "accessibility") {
    isTalking = change !== "ended";
    mark(view);
    if (change === "increment" || change === "decrement") adjust(elements.get(view), change === "increment");
  } else if (event === "dropped") endAll();
  else {
    emit(doc, event === "idle" ? trigger : event, message);
    // Its slot may be new.
    if (event === "layout") begin().catch(report);
  }
}

function endAll() {
  mark();
  for (const [key, [node, name, detail]] of live) {
    live.delete(key);
    emit(node, name, { ...detail, state: detail.state && "cancelled" });
  }
}

// The browser keeps a page that it leaves, with its connection.
addEventListener("pagehide", () => socket && disconnect());
addEventListener("pageshow", ({ persisted }) => persisted && connect());

const resizes = new ResizeObserver(dirty), changes = new MutationObserver(dirty);
function watch(root) {
  if (root !== doc) roots.add(root);
  changes.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
}
watch(doc);
resizes.observe(doc.documentElement);
for (const name of ["scroll", "load", "change", "input", "toggle", "resize", "focusin", "fullscreenchange"]
  .concat("transitionrun", "animationstart")) addEventListener(name, dirty, true);
for (const name of ["scroll", "resize"]) visualViewport.addEventListener(name, dirty);
const touchd = window.touchd = { connected: false, request, publish: dirty };
connect();
})();
