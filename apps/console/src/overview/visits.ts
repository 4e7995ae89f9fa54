const KEY = 'posture-visits';
/** Users of this browser that are remembered; the one who was away longest is forgotten first. */
const USERS_MAX = 10;
/** An earlier visit counts as this long ago, and so does a first one. */
const DAYS_MAX = 30;
const DAY_MS = 86_400_000;
/** Openings of the page within this time of each other are one visit. */
const PAUSE_MS = 30 * 60_000;

/** When a user opened the overview, in epoch milliseconds. */
interface Visits {
  /** The end of the visit before this one; null: none is known. */
  before: number | null;
  last: number;
}

/** Since when findings are new for a user. */
export interface Since {
  at: number;
  /** `visit`: the last visit; `bound`: it was longer ago, or none is known. */
  why: 'visit' | 'bound';
}

/** The visits after the page was opened at `now`: a reload, or a return within minutes, continues a visit. */
function opened(known: Visits | undefined, now: number): Visits {
  if (known === undefined) return { before: null, last: now };
  const isSame = now - known.last < PAUSE_MS;
  return { before: isSame ? known.before : known.last, last: Math.max(now, known.last) };
}

/** @param visits those of the user, after this one was noted */
function newSince({ before }: Visits, now: number): Since {
  const bound = now - DAYS_MAX * DAY_MS;
  return before === null || before < bound ? { at: bound, why: 'bound' } : { at: before, why: 'visit' };
}

/**
 * Notes that a user has opened the overview. Only this browser remembers it, by the id of the user, without a name.
 * @returns since when findings are new
 */
export function noteVisit(userId: string, now: number): Since {
  const all = read();
  const visits = opened(all[userId], now);
  write({ ...all, [userId]: visits });
  return newSince(visits, now);
}

/** Everything so far is not new any more for a user. */
export function markSeen(userId: string, now: number): Since {
  write({ ...read(), [userId]: { before: now, last: now } });
  return { at: now, why: 'visit' };
}

function read(): Record<string, Visits> {
  try {
    return readable(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    // Not readable, or the storage of the browser is off: no visit is known.
    return {};
  }
}

/** Other programs of the origin, and users, can write into the storage. */
function readable(stored: unknown): Record<string, Visits> {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).filter(([, visits]) => isVisits(visits)));
}

const isVisits = (given: unknown): given is Visits => {
  const { before, last } = (given ?? {}) as Partial<Visits>;
  return Number.isFinite(last) && (before === null || Number.isFinite(before));
};

function write(all: Record<string, Visits>): void {
  const latest = Object.entries(all).sort(([, a], [, b]) => b.last - a.last);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(latest.slice(0, USERS_MAX))));
  } catch {
    // The storage of the browser is full or off: the next visit is a first one.
  }
}
