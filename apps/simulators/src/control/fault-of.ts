import type { Fault, FaultAct } from '../faults/fault.ts';
import { Refusal } from '../http/answer.ts';
import type { Fields } from '../records/collection.ts';

const KINDS: readonly FaultAct['kind'][] = [
  'expiredToken',
  'rateLimited',
  'status',
  'slow',
  'cut',
  'repeatedPage',
  'missingPage',
  'garbage',
  'errorsIn200',
  'partialPage',
  'noTotal',
  'alternatingPages',
  'lostScope',
  'chunkFails',
  'exportFails',
  'shortChunkList',
  'noChunkList',
];
const UNITS: readonly unknown[] = ['milliseconds', 'seconds', 'none'];
const NUMBERS_MAX = { retryAfterMs: 86_400_000, delayMs: 600_000, bytes: 1e9, status: 599 } as const;

/**
 * Reads a fault of a request to the control.
 * @throws Refusal 400 if it is none
 */
export function faultOf({ method, path, nth, times, act }: Fields): Fault {
  if (typeof path !== 'string' || !path.startsWith('/')) throw new Refusal(400, 'path: how paths begin');
  if (method !== undefined && typeof method !== 'string') throw new Refusal(400, 'method: GET, for example');
  if (nth !== undefined && !isCount(nth)) throw new Refusal(400, 'nth: a whole number from 1');
  if (times !== undefined && times !== 'ever' && !isCount(times)) {
    throw new Refusal(400, 'times: a whole number from 1, or ever');
  }
  return {
    path,
    act: actOf(act),
    ...(method !== undefined && { method }),
    ...(nth !== undefined && { nth }),
    ...(times !== undefined && { times: times as number | 'ever' }),
  };
}

function actOf(value: unknown): FaultAct {
  const act = (value ?? {}) as Fields;
  if (!KINDS.includes(act.kind as FaultAct['kind']))
    throw new Refusal(400, `act.kind: one of ${KINDS.join(', ')}`);
  for (const [name, max] of Object.entries(NUMBERS_MAX)) {
    const number = act[name];
    if (number !== undefined && !(typeof number === 'number' && number >= 0 && number <= max)) {
      throw new Refusal(400, `act.${name}: a number from 0 to ${max}`);
    }
  }
  if (act.kind === 'slow' && act.delayMs === undefined) throw new Refusal(400, 'act.delayMs: is needed');
  if (act.kind === 'rateLimited' && (act.retryAfterMs === undefined || !UNITS.includes(act.unit))) {
    throw new Refusal(400, 'act.retryAfterMs and act.unit (milliseconds, seconds or none) are needed');
  }
  return act as unknown as FaultAct;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;
