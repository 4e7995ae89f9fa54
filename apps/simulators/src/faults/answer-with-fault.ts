import { type Answer, type Asked, Refusal } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import type { FaultAct } from './fault.ts';

/** Remembers of each list what was asked for last, so that its answer can be given once more. */
export class LastAsked {
  private readonly byPath = new Map<string, Asked>();

  /** What was asked for before, under the headers of now. */
  before(asked: Asked): Asked | undefined {
    const before = this.byPath.get(asked.path);
    return before && { ...before, headers: asked.headers };
  }

  remember(asked: Asked): void {
    this.byPath.set(asked.path, asked);
  }
}

/**
 * The answer of a route, as far as a fault changes what is said; how it is transported is not decided here.
 * @throws nothing: a refusal is an answer
 */
export function answerWithFault(
  route: Route,
  asked: Asked,
  act: FaultAct | undefined,
  last: LastAsked,
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
  asked: Asked,
  act: FaultAct | undefined,
  last: LastAsked,
  nowMs: number,
): Answer {
  switch (act?.kind) {
    case 'expiredToken':
      route.vendor.expire(asked);
      throw route.vendor.unauthorized();
    case 'rateLimited':
      throw route.vendor.tooMany(retryAtOf(act, nowMs));
    case 'status':
      throw new Refusal(act.status ?? 500, 'Internal Server Error');
    case 'lostScope':
      throw route.vendor.forbidden();
    case 'repeatedPage':
      return route.answer(last.before(asked) ?? asked);
    case 'missingPage':
      return pageBehind(route, asked);
    default:
      return route.answer(asked);
  }
}

function pageBehind(route: Route, asked: Asked): Answer {
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

const withHeaders = (route: Route, asked: Asked, answer: Answer): Answer => ({
  ...answer,
  headers: { ...route.vendor.headers(asked), ...answer.headers },
});
