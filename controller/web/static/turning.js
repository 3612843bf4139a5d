// A layer that turns: the compositor moves it, so nothing is laid out, painted or scripted while it does.

const AHEAD_S = 1.2; // so far is its course laid down; it ends there when nothing more is heard
const RENEW_S = 0.5; // and so much of it is always still to come
const MEETS_S = 0.3; // what was foretold wrongly is made good within this time
const LEARNS_S = 0.25; // between two speeds that tell how fast it slows
const STEP_S = 0.1;

export class Turning {
  constructor(node) {
    this.node = node;
    this.node.style.willChange = "transform";
    this.stand(0);
  }

  // Where it stands, in degrees clockwise.
  stand(degrees) {
    this.motion?.cancel();
    this.motion = null;
    this.course = null;
    this.before = null;
    this.node.style.transform = `rotate(${(degrees % 360).toFixed(2)}deg)`;
  }

  // It was seen here just now, at this speed in degrees a second: its course is laid down anew only where it leaves what was foretold.
  turn(degrees, speed, now = performance.now() / 1000) {
    const slows = this.slowing(speed, now);
    const shown = this.at(now);
    const off = shown === null ? 0 : nearest(degrees - shown);
    if (shown !== null && now - this.course.begun < AHEAD_S - RENEW_S && Math.abs(off) < 0.5 + Math.abs(speed) * 0.04) return;
    const from = shown ?? degrees;
    const behind = Math.abs(off) < 90 ? off : 0; // whoever is further away jumps
    this.course = { begun: now, from: behind === off ? from : from + off, behind, speed, slows };
    const frames = Array.from({ length: Math.round(AHEAD_S / STEP_S) + 1 }, (_, n) => ({ transform: `rotate(${this.at(now + n * STEP_S).toFixed(2)}deg)` }));
    const motion = this.node.animate(frames, { duration: AHEAD_S * 1000, fill: "forwards" });
    this.motion?.cancel();
    this.motion = motion;
  }

  // How fast it loses speed, from two speeds some time apart.
  slowing(speed, now) {
    this.before ??= { speed, now, slows: 0 };
    const { before } = this;
    if (before.speed * speed <= 0) this.before = { speed, now, slows: 0 };
    else if (now - before.now >= LEARNS_S) this.before = { speed, now, slows: Math.max(0, (Math.abs(before.speed) - Math.abs(speed)) / (now - before.now)) };
    return this.before.slows;
  }

  // Where its course has it at that time, or nothing where it has none.
  at(now) {
    if (!this.course) return null;
    const { begun, from, behind, speed, slows } = this.course;
    const time = Math.min(now - begun, AHEAD_S);
    const moves = slows ? Math.min(time, Math.abs(speed) / slows) : time;
    return from + speed * moves - (Math.sign(speed) * slows * moves * moves) / 2 + behind * Math.min(1, time / MEETS_S);
  }
}

const nearest = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;
