import { Refusal } from '../http/answer.ts';
import type { Fields } from '../records/collection.ts';
import { DAY_MS } from '../records/seeded.ts';
import { SEVERITIES } from './plugins.ts';
import type { ScannedAsset } from './scanned-asset.ts';
import { modificationOf, pluginOf, severityOf, type Vulnerability } from './vulnerability.ts';

type Test<T> = (record: T) => boolean;

const secondsOf = (at: string | null): number => (at === null ? 0 : Date.parse(at) / 1_000);

/** The filter by a time in seconds since 1970. */
const since =
  <T>(at: (record: T) => number) =>
  (value: unknown): Test<T> => {
    if (!Number.isSafeInteger(value)) throw new Refusal(400, 'A time must be in seconds since 1970.');
    return (record) => at(record) >= (value as number);
  };

const asked =
  <T>(is: (record: T) => boolean) =>
  (value: unknown): Test<T> => {
    if (typeof value !== 'boolean') throw new Refusal(400, 'true or false is needed.');
    return (record) => is(record) === value;
  };

/** One of several words. */
const among =
  <T>(wordOf: (record: T) => string, known?: readonly string[]) =>
  (value: unknown): Test<T> => {
    const words = Array.isArray(value) ? value.map((word) => String(word).toLowerCase()) : [];
    const unknown = known && words.find((word) => !known.includes(word));
    if (words.length === 0 || unknown !== undefined) throw new Refusal(400, `Invalid value: ${unknown}`);
    return (record) => words.includes(wordOf(record).toLowerCase());
  };

const ASSET_FILTERS: Record<string, (value: unknown) => Test<ScannedAsset>> = {
  created_at: since(({ created_at }) => secondsOf(created_at)),
  updated_at: since(({ updated_at }) => secondsOf(updated_at)),
  deleted_at: since(({ deleted_at }) => secondsOf(deleted_at)),
  terminated_at: since(({ terminated_at }) => secondsOf(terminated_at)),
  since: since(({ updated_at, deleted_at, terminated_at }) =>
    Math.max(secondsOf(updated_at), secondsOf(deleted_at), secondsOf(terminated_at)),
  ),
  is_deleted: asked(({ deleted_at }) => deleted_at !== null),
  is_terminated: asked(({ terminated_at }) => terminated_at !== null),
  has_plugin_results: asked(() => true),
  is_licensed: asked(() => true),
  types: among(() => 'host'),
};

const changedAt = ({ state, last_found, last_fixed }: Vulnerability): number =>
  secondsOf(state === 'FIXED' ? last_fixed : last_found);

const VULNERABILITY_FILTERS: Record<string, (value: unknown) => Test<Vulnerability>> = {
  since: since(changedAt),
  first_found: since(({ first_found }) => secondsOf(first_found)),
  last_found: since(({ last_found }) => secondsOf(last_found)),
  last_fixed: since(({ last_fixed }) => secondsOf(last_fixed)),
  indexed_at: since(({ indexed }) => indexed / 1_000),
  state: among(({ state }) => state, ['open', 'reopened', 'fixed']),
  severity: among(severityOf, SEVERITIES),
  severity_modification_type: among(modificationOf, ['none', 'recasted', 'accepted']),
  plugin_id: among((record) => String(pluginOf(record).id)),
};

const TIMES = ['since', 'first_found', 'last_found', 'last_fixed', 'indexed_at'];
const DEFAULT_DAYS = 30;

/** @throws Refusal 400 for a filter that the simulator does not know */
function testOf<T>(known: Record<string, (value: unknown) => Test<T>>, filters: Fields): Test<T> {
  const tests = Object.entries(filters).map(([name, value]) => {
    const filter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (filter === undefined) throw new Refusal(400, `Unknown filter: ${name}`);
    return filter(value);
  });
  return (record) => tests.every((test) => test(record));
}

export const assetTest = (filters: Fields): Test<ScannedAsset> => testOf(ASSET_FILTERS, filters);

/** Without a time, the last 30 days; without states and `since`, vulnerabilities that are not fixed. */
export function vulnerabilityTest(filters: Fields, nowMs: number): Test<Vulnerability> {
  const hasTime = TIMES.some((name) => name in filters);
  const time = hasTime ? {} : { since: Math.floor((nowMs - DEFAULT_DAYS * DAY_MS) / 1_000) };
  const state = 'state' in filters || 'since' in filters ? {} : { state: ['OPEN', 'REOPENED'] };
  return testOf(VULNERABILITY_FILTERS, { ...time, ...state, ...filters });
}
