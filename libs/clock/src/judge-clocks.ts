import { lengthInWords, timeInWords } from './clock-words.ts';

const DAY_MS = 86_400_000;

/** A difference in milliseconds that is known to be between two bounds: asking takes time. */
export interface Difference {
  min: number;
  max: number;
}

/** The clocks at one moment, in epoch milliseconds unless stated otherwise. */
export interface ClockSample {
  own: number;
  /** Milliseconds that the machine has been on, suspended or not. */
  uptime: number;
  /** The own clock minus that of the database; null while it is unavailable. */
  database: Difference | null;
  /** The own clock minus that of the broker which is furthest off; null if none has said its time recently. */
  broker: Difference | null;
  /** The latest folded time on the log, or the latest that this process stamped; null: the log is new. */
  logClock: number | null;
  /** Times that were trusted once, an operator's word included. */
  trusted: readonly number[];
}

/** One moment by the own clock and by the machine's uptime. */
interface Anchor {
  own: number;
  uptime: number;
}

export interface Distrust {
  cause: 'database' | 'broker' | 'log' | 'jump' | 'shift';
  /** Why, and what to do. */
  message: string;
}

/** Trust of a process in its clock. */
export interface ClockState {
  /** The moment since which the own clock has run as the uptime does; null: never trusted. */
  anchor: Anchor | null;
  /** Since when the clock has run steadily after a jump of up to a day; null: it has not jumped. */
  shifted: Anchor | null;
  /** Null: it is trusted. */
  distrust: Distrust | null;
}

/**
 * Judges the clocks by the previous verdict and their current values. Pure.
 * @param boundMs the largest permitted difference
 */
export function judgeClocks(
  { anchor, shifted }: Pick<ClockState, 'anchor' | 'shifted'>,
  sample: ClockSample,
  boundMs: number,
): ClockState {
  const here: Anchor = { own: sample.own, uptime: sample.uptime };
  const trusted: ClockState = { anchor: here, shifted: null, distrust: null };
  const distrusted = (distrust: Distrust, since: Anchor | null = null): ClockState => ({
    anchor,
    shifted: since,
    distrust,
  });
  const apart = apartOf(sample, boundMs);
  if (apart) return distrusted(apart);
  const lastTrusted = lastOf(sample, boundMs);
  const isFarAhead = lastTrusted !== null && sample.own - lastTrusted > DAY_MS;
  if (anchor === null) return isFarAhead ? distrusted(jumped(sample.own, lastTrusted)) : trusted;
  const jump = jumpBetween(anchor, here);
  if (Math.abs(jump) <= boundMs) return { anchor, shifted: null, distrust: null };
  if (jump > DAY_MS) return isFarAhead ? distrusted(jumped(sample.own, lastTrusted)) : trusted;
  const isSteady = shifted !== null && Math.abs(jumpBetween(shifted, here)) <= boundMs / 2;
  const since = isSteady ? shifted : here;
  return here.uptime - since.uptime >= boundMs ? trusted : distrusted(shiftOf(jump, boundMs), since);
}

/** How much further the own clock went than the uptime did. */
const jumpBetween = (from: Anchor, to: Anchor): number => to.own - from.own - (to.uptime - from.uptime);

/** A time ahead was trusted by mistake. */
function lastOf({ own, trusted }: ClockSample, boundMs: number): number | null {
  const past = trusted.filter((time) => time <= own + boundMs);
  return past.length > 0 ? Math.max(...past) : null;
}

function apartOf({ own, database, broker, logClock }: ClockSample, boundMs: number): Distrust | null {
  if (database && isBeyond(database, boundMs)) {
    return {
      cause: 'database',
      message: `${ownClock(own)} is ${directionOf(database)} the database's (the limit is ${boundOf(boundMs)}): synchronize both by NTP`,
    };
  }
  if (broker && isBeyond(broker, boundMs)) {
    return {
      cause: 'broker',
      message: `${ownClock(own)} is ${directionOf(broker)} a Kafka broker's (the limit is ${boundOf(boundMs)}): synchronize both by NTP`,
    };
  }
  if (logClock === null || logClock - own <= boundMs) return null;
  return {
    cause: 'log',
    message:
      `${ownClock(own)} is ${lengthInWords(logClock - own)} behind the last time on the log, ${timeInWords(logClock)} ` +
      `(the limit is ${boundOf(boundMs)}): if the clock is wrong, set it; if it is right, run \`posture clock mend\``,
  };
}

const isBeyond = ({ min, max }: Difference, boundMs: number) => min > boundMs || max < -boundMs;

const directionOf = ({ min, max }: Difference): string =>
  min > 0 ? `${lengthInWords(min)} ahead of` : `${lengthInWords(-max)} behind`;

const ownClock = (own: number) => `the clock of this program, ${timeInWords(own)},`;

const boundOf = (ms: number) => `${ms / 1000} s`;

const jumped = (own: number, lastTrusted: number): Distrust => ({
  cause: 'jump',
  message:
    `${ownClock(own)} is ${lengthInWords(own - lastTrusted)} ahead of the last trusted time, ${timeInWords(lastTrusted)}: ` +
    'if it is wrong, set it; if it is right, run `posture clock confirm`',
});

const shiftOf = (jump: number, boundMs: number): Distrust => ({
  cause: 'shift',
  message:
    `the clock of this program was set ${jump > 0 ? 'forward' : 'back'} by ${lengthInWords(Math.abs(jump))}: ` +
    `it is trusted again after it has run steadily for ${boundOf(boundMs)}`,
});
