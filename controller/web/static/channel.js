// The live channel: the whole true state first, then changes. A page that hears nothing knows it.

import { countUnits } from "./dom.js";

const SILENCE_MS = 3500; // the controller beats once a second

export class Channel {
  constructor(place) {
    this.place = place;
    this.state = {};
    this.connected = false;
    this.everConnected = false;
    this.revision = -1;
    this.offset = 0; // the table's clock minus this browser's
    this.onState = () => {};
    this.onLive = () => {};
    this.onLink = () => {};
    this.heard = performance.now();
    this.open();
    setInterval(() => this.listen(), 500);
  }

  open() {
    if (this.source) this.source.close();
    const source = new EventSource(`/api/live?place=${encodeURIComponent(this.place)}`);
    this.source = source;
    source.addEventListener("whole", (message) => this.take(JSON.parse(message.data), true));
    source.addEventListener("change", (message) => this.take(JSON.parse(message.data), false));
    source.addEventListener("live", (message) => {
      this.hear();
      this.onLive(JSON.parse(message.data));
    });
    source.addEventListener("beat", (message) => {
      this.hear();
      this.offset = Number(message.data) - Date.now();
    });
    source.addEventListener("error", () => this.lose());
  }

  take(frame, whole) {
    this.hear();
    this.revision = frame.revision;
    this.seq = frame.seq;
    this.offset = frame.now - Date.now();
    // another table at this address, or the same one set up anew: nothing drawn so far holds
    if (whole && this.state.table && JSON.stringify(this.state.table) !== JSON.stringify(frame.set.table)) location.reload();
    if (whole) this.state = frame.set;
    else Object.assign(this.state, frame.set);
    countUnits(Boolean(this.state.sign?.tournament ?? (this.state.game?.tournament?.state ?? "free") !== "free"));
    document.body.classList.toggle("slow", Boolean(this.state.journal?.slow));
    if (whole && !this.connected) {
      this.connected = true;
      this.everConnected = true;
      this.onLink(true);
    }
    this.onState(this.state, whole ? null : Object.keys(frame.set));
  }

  hear() {
    this.heard = performance.now();
  }

  lose() {
    if (this.connected || !this.everConnected) {
      this.connected = false;
      this.onLink(false);
    }
  }

  listen() {
    if (performance.now() - this.heard > SILENCE_MS) {
      this.lose();
      this.hear();
      this.open();
    }
  }

  now() {
    return Date.now() + this.offset;
  }
}

async function ask(path, body) {
  let response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(8000),
    });
  } catch (error) {
    return { ok: false, status: 0, error: "The controller does not answer." };
  }
  let answer = {};
  try {
    answer = await response.json();
  } catch (error) {
    answer = {};
  }
  if (!response.ok && !answer.error) answer.error = `The controller answered ${response.status}.`;
  return { ok: response.ok, status: response.status, ...answer };
}

export const get = (path) => ask(path);
export const post = (path, body) => ask(path, body);
