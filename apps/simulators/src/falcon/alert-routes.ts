import type { Answer, ReceivedRequest } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import type { FoundRecords } from '../query/found-records.ts';
import type { Collection } from '../records/collection.ts';
import type { Alert } from './alert.ts';
import { envelope, paginationOf } from './envelope.ts';
import type { FalconPlatform } from './falcon-platform.ts';
import { alertFields } from './known-fields.ts';
import { nextOffset } from './next-offset.ts';
import { pageAfter } from './page-after.ts';
import { filterOf, idsOf, objectOf, offsetAndLimit, wholeNumber } from './parameters.ts';
import { parseSort } from './sort.ts';

const IDS_MAX = 1_000;
const COMBINED_MAX = 1_000;

export interface Alerts {
  collection: Collection<Alert>;
  found: FoundRecords<Alert>;
  nowMs: () => number;
  /** Of the customer. */
  cid: string;
}

/** The endpoints of the scope Alerts: Read. */
export function alertRoutes(platform: FalconPlatform, alerts: Alerts): Route[] {
  return [
    platform.guarded('alerts:read', {
      method: 'GET',
      path: '/alerts/queries/alerts/v2',
      answer: (asked) => queryPage(alerts, asked),
      next: nextOffset,
    }),
    platform.guarded('alerts:read', {
      method: 'POST',
      path: '/alerts/entities/alerts/v2',
      answer: (asked) => entities(alerts, idsOf(objectOf(asked).composite_ids, 'composite_ids', IDS_MAX)),
    }),
    platform.guarded('alerts:read', {
      method: 'POST',
      path: '/alerts/combined/alerts/v1',
      answer: (asked) => combinedPage(alerts, asked),
      first: (asked) => ({ ...asked, body: { ...(asked.body as object), after: '' } }),
      next: followed,
    }),
  ];
}

function queryPage(alerts: Alerts, { query }: ReceivedRequest): Answer {
  const { offset, limit } = offsetAndLimit(query, { limit: 100, limitMax: 10_000 });
  const filter = filterOf(query.get('filter') ?? '', alertFields, alerts.nowMs());
  const { numbers } = alerts.found.find(filter, parseSort(query.get('sort') ?? '', alertFields));
  const page = numbers.slice(offset, offset + limit);
  return envelope(200, {
    resources: page.map((number) => alerts.collection.at(number)?.composite_id),
    pagination: { total: numbers.length, offset, limit },
  });
}

/** The last page has no `after`. */
function combinedPage(alerts: Alerts, asked: ReceivedRequest): Answer {
  const body = objectOf(asked);
  const text = (name: string) => String(body[name] ?? '');
  const limit = wholeNumber(text('limit'), 'limit', { min: 1, max: COMBINED_MAX, otherwise: 100 });
  const { records, total, token } = pageAfter(alerts, {
    filter: filterOf(text('filter'), alertFields, alerts.nowMs()),
    sort: parseSort(text('sort'), alertFields),
    token: text('after'),
    limit,
  });
  const after = token === undefined ? {} : { after: token };
  return envelope(200, { resources: records, pagination: { total, limit, ...after } });
}

function entities({ collection }: Alerts, ids: string[]): Answer {
  const resources = ids.map((id) => collection.withId(id)).filter((alert) => alert !== undefined);
  return envelope(200, { resources });
}

function followed(asked: ReceivedRequest, answer: Answer): ReceivedRequest | undefined {
  const { after } = paginationOf(answer);
  return after === undefined ? undefined : { ...asked, body: { ...(asked.body as object), after } };
}
