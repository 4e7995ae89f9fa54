import { type Answer, type ReceivedRequest, Refusal } from '../http/answer.ts';
import type { Reshaping, Route } from '../http/route.ts';
import type { FaultAct } from './fault.ts';

/** Stores the last request of each list, so that its response can be repeated. */
export class LastRequests {
  private readonly byPath = new Map<string, ReceivedRequest>();
  private readonly turns = new Map<string, number>();

  /** How often this was asked of the same list before. */
  turnOf({ path }: ReceivedRequest): number {
    const turn = this.turns.get(path) ?? 0;
    this.turns.set(path, turn + 1);
    return turn;
  }

  /** The previous request, with the current headers. */
  before(asked: ReceivedRequest): ReceivedRequest | undefined {
    const before = this.byPath.get(asked.path);
    return before && { ...before, headers: asked.headers };
  }

  remember(asked: ReceivedRequest): void {
    this.byPath.set(asked.path, asked);
  }
}

/**
 * The response of a route, with the content changes of a fault; its transport is not decided here.
 * @throws nothing: a rejection is a response
 */
export function answerWithFault(
  route: Route,
  asked: ReceivedRequest,
  act: FaultAct | undefined,
  last: LastRequests,
  nowMs: number,
): Answer {
  try {
    const answer = answerOf(route, asked, act, last, nowMs);
    if (route.next !== undefined) last.remember(asked);
    return withHeaders(route, asked, answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { headers, ...answer } = route.vendor.refused(error);
    return withHeaders(route, asked, { ...answer, headers: { ...headers, ...error.headers } });
  }
}

function answerOf(
  route: Route,
  asked: ReceivedRequest,
  act: FaultAct | undefined,
  last: LastRequests,
  nowMs: number,
): Answer {
  switch (act?.kind) {
    case 'expiredToken':
      route.vendor.expire(asked);
      throw route.vendor.unauthorized();
    case 'rateLimited':
      throw route.vendor.tooMany(retryAtOf(act, nowMs), waitSecondsOf(act));
    case 'status':
      throw new Refusal(act.status ?? 500, 'Internal Server Error');
    case 'lostScope':
      throw route.vendor.forbidden();
    case 'repeatedPage':
      return route.answer(last.before(asked) ?? asked);
    case 'missingPage':
      return nextPage(route, asked);
    case 'errorsIn200':
      return reshaped(route, asked, (records) => ({ records: halfOf(records), error: NOT_READ }));
    case 'partialPage':
      return reshaped(route, asked, (records) => ({ records: halfOf(records) }));
    case 'noTotal':
      return reshaped(route, asked, () => ({ isCounted: false }));
    case 'alternatingPages':
      return alternating(route, asked, last.turnOf(asked));
    default:
      return route.answer(asked, act);
  }
}

const NOT_READ = 'Internal Server Error: some records could not be read';

/** Other values than lists are unchanged. */
function reshaped(route: Route, asked: ReceivedRequest, into: (records: unknown[]) => Reshaping): Answer {
  const answer = route.answer(asked);
  const records = route.vendor.recordsOf(answer);
  return records === undefined ? answer : route.vendor.reshaped(answer, into(records));
}

const halfOf = (records: unknown[]) => records.slice(0, Math.floor(records.length / 2));

function alternating(route: Route, asked: ReceivedRequest, turn: number): Answer {
  const begin = route.first?.(asked);
  if (begin === undefined) return route.answer(asked);
  const first = route.answer(begin);
  const second = nextPage(route, begin);
  const records = route.vendor.recordsOf(turn % 2 === 0 ? first : second) ?? [];
  return route.vendor.reshaped(first, { records, isCounted: false });
}

function nextPage(route: Route, asked: ReceivedRequest): Answer {
  const answer = route.answer(asked);
  const next = route.next?.(asked, answer);
  return next === undefined ? answer : route.answer(next);
}

function retryAtOf(
  { retryAfterMs, unit }: Extract<FaultAct, { kind: 'rateLimited' }>,
  nowMs: number,
): string | undefined {
  const atMs = nowMs + retryAfterMs;
  if (unit === 'none') return undefined;
  return String(unit === 'milliseconds' ? atMs : Math.ceil(atMs / 1_000));
}

const waitSecondsOf = ({ retryAfterMs, unit }: Extract<FaultAct, { kind: 'rateLimited' }>) =>
  unit === 'none' ? undefined : Math.ceil(retryAfterMs / 1_000);

const withHeaders = (route: Route, asked: ReceivedRequest, answer: Answer): Answer => ({
  ...answer,
  headers: { ...route.vendor.headers(asked), ...answer.headers },
});
