import { type ReceivedRequest, Refusal } from '../http/answer.ts';
import type { Filter } from '../query/found-records.ts';
import { FqlError } from './fql/fql-tokens.ts';
import { parseFql } from './fql/parse-fql.ts';

/** @throws Refusal 400 if it is no whole number within the bounds */
export function wholeNumber(
  text: string | null,
  name: string,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): number {
  if (text === null || text === '') return otherwise;
  const number = Number(text);
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new Refusal(400, `${name}: a whole number from ${min} to ${max} is needed`);
  }
  return number;
}

/** @throws Refusal 400 */
export function filterOf(text: string, knows: (field: string) => boolean, nowMs: number): Filter {
  try {
    return parseFql(text, knows, nowMs);
  } catch (error) {
    if (error instanceof FqlError) throw new Refusal(400, 'Invalid filter expression supplied');
    throw error;
  }
}

/** The largest offset: lists after it are rejected. */
const WINDOW = 10_000;

/** @throws Refusal 400 if offset and limit together go beyond the first 10,000 */
export function offsetAndLimit(
  query: URLSearchParams,
  { limit, limitMax }: { limit: number; limitMax: number },
): { offset: number; limit: number } {
  const asked = {
    offset: wholeNumber(query.get('offset'), 'offset', { min: 0, max: WINDOW, otherwise: 0 }),
    limit: wholeNumber(query.get('limit'), 'limit', { min: 1, max: limitMax, otherwise: limit }),
  };
  if (asked.offset + asked.limit > WINDOW) {
    throw new Refusal(400, `offset + limit: at most ${WINDOW} is allowed`);
  }
  return asked;
}

/** @throws Refusal 400 if it is no list of text, 413 if it is too long */
export function idsOf(value: unknown, name: string, max: number): string[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every((id) => typeof id === 'string')) {
    throw new Refusal(400, `${name}: a list of ids is needed`);
  }
  if (value.length > max) throw new Refusal(413, `${name}: at most ${max} ids are taken at once`);
  return value;
}

/** The JSON object that was sent. */
export function objectOf({ body }: ReceivedRequest): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || body instanceof URLSearchParams || Array.isArray(body)) {
    throw new Refusal(400, 'A JSON object is needed');
  }
  return body as Record<string, unknown>;
}

/** The same request with other parameters in its query. */
export function withParameters(asked: ReceivedRequest, parameters: Record<string, string>): ReceivedRequest {
  const query = new URLSearchParams(asked.query);
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return { ...asked, query };
}
