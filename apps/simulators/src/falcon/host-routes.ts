import { type Answer, type ReceivedRequest, Refusal } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import type { FoundRecords } from '../query/found-records.ts';
import type { Collection, Fields } from '../records/collection.ts';
import { envelope, paginationOf } from './envelope.ts';
import type { FalconPlatform } from './falcon-platform.ts';
import type { Host } from './host.ts';
import { hostFields } from './known-fields.ts';
import { nextOffset } from './next-offset.ts';
import { pageAfter } from './page-after.ts';
import { filterOf, idsOf, objectOf, offsetAndLimit, wholeNumber, withParameters } from './parameters.ts';
import { Scrolls } from './scrolls.ts';
import { parseSort } from './sort.ts';

const IDS_GET_MAX = 100;
const IDS_POST_MAX = 5_000;
const ID = /^[0-9a-f]{32}$/;

interface Hosts {
  collection: Collection<Host>;
  found: FoundRecords<Host>;
  nowMs: () => number;
}

/** The endpoints of the scope Hosts: Read. */
export function hostRoutes(platform: FalconPlatform, hosts: Hosts): Route[] {
  const scrolls = new Scrolls(hosts.nowMs);
  return [
    platform.guarded('hosts:read', {
      method: 'GET',
      path: '/devices/queries/devices-scroll/v1',
      answer: (asked) => scrollPage(hosts, scrolls, asked),
      next: (asked, answer) => followed(asked, paginationOf(answer).offset),
    }),
    platform.guarded('hosts:read', {
      method: 'GET',
      path: '/devices/queries/devices/v1',
      answer: (asked) => offsetPage(hosts, asked),
      next: nextOffset,
    }),
    platform.guarded('hosts:read', {
      method: 'GET',
      path: '/devices/combined/devices/v1',
      answer: (asked) => combinedPage(hosts, asked),
      first: (asked) => withParameters(asked, { offset: '' }),
      next: (asked, answer) => followed(asked, paginationOf(answer).next),
    }),
    platform.guarded('hosts:read', {
      method: 'GET',
      path: '/devices/entities/devices/v2',
      answer: ({ query }) => entities(hosts, idsOf(query.getAll('ids'), 'ids', IDS_GET_MAX)),
    }),
    platform.guarded('hosts:read', {
      method: 'POST',
      path: '/devices/entities/devices/v2',
      answer: (asked) => entities(hosts, idsOf(objectOf(asked).ids, 'ids', IDS_POST_MAX)),
    }),
  ];
}

/** The last ids still carry a token; after it there is nothing, and the total is 0. */
function scrollPage(hosts: Hosts, scrolls: Scrolls, { query }: ReceivedRequest): Answer {
  const limit = wholeNumber(query.get('limit'), 'limit', { min: 1, max: 10_000, otherwise: 100 });
  const token = query.get('offset') ?? '';
  const { numbers, position } =
    token === '' ? { numbers: find(hosts, query).numbers, position: 0 } : scrolls.take(token);
  const page = numbers.slice(position, position + limit);
  if (page.length === 0) return envelope(200, { pagination: { total: 0, offset: '', expires_at: 0 } });
  const next = scrolls.keep(numbers, position + page.length);
  return envelope(200, {
    resources: idsAt(hosts, page),
    // Nanoseconds, though JavaScript cannot distinguish them.
    pagination: { total: numbers.length, offset: next.token, expires_at: next.expiresAtMs * 1_000_000 },
  });
}

function offsetPage(hosts: Hosts, { query }: ReceivedRequest): Answer {
  const { offset, limit } = offsetAndLimit(query, { limit: 100, limitMax: 5_000 });
  const { numbers } = find(hosts, query);
  const page = numbers.slice(offset, offset + limit);
  return envelope(200, {
    resources: idsAt(hosts, page),
    pagination: { total: numbers.length, offset, limit },
  });
}

function combinedPage(hosts: Hosts, { query }: ReceivedRequest): Answer {
  const limit = wholeNumber(query.get('limit'), 'limit', { min: 1, max: 10_000, otherwise: 100 });
  const token = query.get('offset') ?? '';
  const { records, total, token: next } = pageAfter(hosts, { ...asksFor(hosts, query), token, limit });
  const fields = query.get('fields')?.split(',') ?? [];
  return envelope(200, {
    resources: fields.length === 0 ? records : records.map((record) => chosen(record, fields)),
    pagination: { total, limit, offset: token, next: next ?? '' },
  });
}

/** Ids of no host are left out. */
function entities({ collection }: Hosts, ids: string[]): Answer {
  const malformed = ids.find((id) => !ID.test(id));
  if (malformed !== undefined) throw new Refusal(400, 'invalid device id');
  const resources = ids.map((id) => collection.withId(id)).filter((host) => host !== undefined);
  return envelope(200, { resources });
}

const asksFor = ({ nowMs }: Hosts, query: URLSearchParams) => ({
  filter: filterOf(query.get('filter') ?? '', hostFields, nowMs()),
  sort: parseSort(query.get('sort') ?? '', hostFields),
});

function find(hosts: Hosts, query: URLSearchParams) {
  const { filter, sort } = asksFor(hosts, query);
  return hosts.found.find(filter, sort);
}

/** A scroll omits hosts that were removed after its start. */
const idsAt = ({ collection }: Hosts, numbers: number[]): string[] =>
  numbers.map((number) => collection.at(number)?.device_id).filter((id) => id !== undefined);

/** The fields that were requested; the two ids are always there. */
const chosen = (record: Fields, fields: readonly string[]): Fields =>
  Object.fromEntries(
    Object.entries(record).filter(([name]) => ['device_id', 'cid', ...fields].includes(name)),
  );

const followed = (asked: ReceivedRequest, token: unknown): ReceivedRequest | undefined =>
  typeof token === 'string' && token !== '' ? withParameters(asked, { offset: token }) : undefined;
