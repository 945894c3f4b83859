/** touchd.js: the events of touchd on the elements of a page, and requests to touchd. docs/web.md describes them. */

/** The details of all events: `time` is in seconds on the kernel's CLOCK_MONOTONIC. */
interface TouchdDetail {
    time: number;
}

/** `touchd:began`, `touchd:moved`, `touchd:ended`, `touchd:cancelled`: a finger. It has one end, always. */
interface TouchdTouch extends TouchdDetail {
    /** The number of the touch since touchd started. */
    touch: number;
    /** Whether no other finger was down when it began. */
    isPrimary: boolean;
    /** The position in CSS pixels of the window. */
    x?: number;
    y?: number;
    /** From 0 to 1, if the panel reports it. */
    pressure?: number;
    /** The size of the contact in CSS pixels, if the panel reports it. */
    width?: number;
    height?: number;
    /** The moves that became this one, as `[x, y, time]`, the oldest first. */
    coalesced?: number[][];
    /** The screen's name, in a layout with several. */
    screen?: string;
    device: string;
    handlers: string[];
}

/** `touchd:held`, `touchd:pressed`, `touchd:released`, `touchd:toggled`: a button or a switch. */
interface TouchdControl extends TouchdDetail {
    /** The state of a switch after `touchd:toggled`. */
    on?: boolean;
}

/** `touchd:pan`, `touchd:pinch` and so on: a gesture, at the moment when it is recognized and whenever it changes. */
interface TouchdGesture extends TouchdDetail {
    /** A discrete gesture is `recognized`; a continuous one `began`, `changed` and has one end. */
    state: "recognized" | "began" | "changed" | "ended" | "cancelled";
    /** The position in CSS pixels of the window. */
    x?: number;
    y?: number;
    /** The number of fingers. */
    touches?: number;
    /** A pinch's distance relative to its first one. */
    scale?: number;
    /** A rotation in radians, clockwise. */
    rotation?: number;
    /** A pan's way in CSS pixels. */
    translation?: [number, number];
    /** A pan's in CSS pixels per second, a pinch's or rotation's per second. */
    velocity?: number | [number, number];
    /** A swipe's direction. */
    direction?: "left" | "right" | "up" | "down";
}

interface TouchdEvents {
    "touchd:began": CustomEvent<TouchdTouch>;
    "touchd:moved": CustomEvent<TouchdTouch>;
    "touchd:ended": CustomEvent<TouchdTouch>;
    "touchd:cancelled": CustomEvent<TouchdTouch>;
    "touchd:held": CustomEvent<TouchdControl>;
    "touchd:pressed": CustomEvent<TouchdControl>;
    "touchd:released": CustomEvent<TouchdControl>;
    "touchd:toggled": CustomEvent<TouchdControl>;
    "touchd:tap": CustomEvent<TouchdGesture>;
    "touchd:swipe": CustomEvent<TouchdGesture>;
    "touchd:pan": CustomEvent<TouchdGesture>;
    "touchd:edge-pan": CustomEvent<TouchdGesture>;
    "touchd:pinch": CustomEvent<TouchdGesture>;
    "touchd:rotation": CustomEvent<TouchdGesture>;
    "touchd:long-press": CustomEvent<TouchdGesture>;
    "touchd:hover": CustomEvent<TouchdGesture>;
}

/** Why touchd refused a request, or the views of the page. */
interface TouchdError extends Error {
    /** The kind, as on the control socket. */
    code?: string;
    /** What is wrong with which view. */
    views?: { index?: number; view?: string; message: string }[];
}

/** The state of the layout. */
interface TouchdState {
    screens: { name?: string; width: number; height: number; page?: string }[];
    toggles: { view: string; on: boolean }[];
    /** Whether touches are ignored. */
    ignoring?: boolean;
}

/** Events on `document`. */
interface TouchdDocumentEvents extends TouchdEvents {
    "touchd:connected": CustomEvent<TouchdState>;
    "touchd:disconnected": CustomEvent<null>;
    "touchd:error": CustomEvent<TouchdError>;
    "touchd:page": CustomEvent<{ page: string }>;
    "touchd:layout": CustomEvent<{ layout: string }>;
    "touchd:published": CustomEvent<{ topic: string; message: string }>;
    "touchd:idle": CustomEvent<{ trigger: "idle"; after: number }>;
    "touchd:woken": CustomEvent<{ trigger: "woken" }>;
}

interface HTMLElementEventMap extends TouchdEvents {}
interface SVGElementEventMap extends TouchdEvents {}
interface DocumentEventMap extends TouchdDocumentEvents {}

/** A request as on the control socket (docs/control-protocol.md), without an id. */
type TouchdRequest =
    | { request: "go" | "reset"; page: string }
    | { request: "show" | "hide" | "enable" | "disable" | "toggle" | "switch-on" | "switch-off"; view: string }
    | { request: "hit"; x: number; y: number; screen?: string }
    | { request: "say"; text: string; language?: string }
    | { request: "layout" };

declare const touchd: {
    /** Whether touchd receives this page's views and requests. */
    readonly connected: boolean;
    /** Publishes the elements again in the next frame, after a change that notifies nobody. */
    publish(): void;
    /** Sends a request; rejects with touchd's error, whose `code` is its kind. */
    request(request: TouchdRequest): Promise<unknown>;
};
