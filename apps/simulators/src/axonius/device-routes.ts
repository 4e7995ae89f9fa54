import { LRUCache } from 'lru-cache';
import { type Answer, type ReceivedRequest, Refusal } from '../http/answer.ts';
import type { Route } from '../http/route.ts';
import type { FoundRecords } from '../query/found-records.ts';
import type { Collection } from '../records/collection.ts';
import type { AxoniusPlatform } from './axonius-platform.ts';
import { Cursors } from './cursors.ts';
import type { Device } from './device.ts';
import { deviceAttributes } from './device-attributes.ts';
import { attributesOf, deviceRequestOf, filterOf } from './device-request.ts';

const COUNTED_MAX = 100;

interface Devices {
  collection: Collection<Device>;
  found: FoundRecords<Device>;
}

/** Lists, counts and single devices. */
export function deviceRoutes(platform: AxoniusPlatform, devices: Devices): Route[] {
  const cursors = new Cursors();
  const counted = new LRUCache<string, true>({ max: COUNTED_MAX });
  return [
    platform.guarded('devices', {
      method: 'POST',
      path: '/api/devices',
      answer: (asked) => page(devices, cursors, asked),
      next: nextPage,
      first: firstPage,
    }),
    platform.guarded('devices', {
      method: 'POST',
      path: '/api/devices/count',
      answer: (asked) => count(devices, counted, asked),
    }),
    platform.guarded('devices', {
      method: 'GET',
      path: '/api/devices/:id',
      answer: ({ parts }) => single(devices, parts.id ?? ''),
    }),
  ];
}

/** The last page is followed by an empty one, at which clients stop. */
function page({ collection, found }: Devices, cursors: Cursors, asked: ReceivedRequest): Answer {
  const { filter, offset, limit, usesCursor, cursor, selectors, hasDetails } = deviceRequestOf(asked);
  const begun = cursor === undefined ? undefined : cursors.numbersOf(cursor);
  if (cursor !== undefined && begun === undefined) throw new Refusal(400, 'The cursor is unknown.');
  const numbers = begun ?? found.find(filter, undefined).numbers;
  const devices = numbers.slice(offset, offset + limit).flatMap((number) => collection.at(number) ?? []);
  return {
    status: 200,
    body: {
      data: devices.map((device) => ({
        type: 'entities_schema',
        id: device.internal_axon_id,
        attributes: deviceAttributes(device, selectors, hasDetails),
      })),
      meta: {
        page: {
          number: Math.floor(offset / limit) + 1,
          size: devices.length,
          totalPages: Math.ceil(numbers.length / limit),
          totalResources: numbers.length,
        },
        ...(usesCursor && { cursor: cursor ?? cursors.keep(numbers) }),
      },
    },
  };
}

/** The first time a filter is counted, and after each change, the number is not ready. */
function count(
  { collection, found }: Devices,
  counted: LRUCache<string, true>,
  asked: ReceivedRequest,
): Answer {
  const filter = filterOf(attributesOf(asked, 'entities_count_schema').filter);
  const name = `${collection.revision} ${filter.name}`;
  const isReady = counted.has(name);
  counted.set(name, true);
  const value = isReady ? found.find(filter, undefined).numbers.length : null;
  return {
    status: 200,
    body: { data: { type: 'int_value_schema', id: 'count', attributes: { value } } },
  };
}

function single({ collection }: Devices, id: string): Answer {
  const device = collection.withId(id);
  if (device === undefined) throw new Refusal(404, 'There is no such device.');
  const { internal_axon_id, adapters, adapter_list_length: _, labels, ...basic } = device;
  return {
    status: 200,
    body: {
      data: {
        type: 'entity_schema',
        id,
        attributes: {
          internal_axon_id,
          adapters: adapters.map((name) => ({ plugin_name: name })),
          labels,
          basic,
        },
      },
    },
  };
}

function nextPage(asked: ReceivedRequest, answer: Answer): ReceivedRequest | undefined {
  const { data, meta } = answer.body as { data: unknown[]; meta: { cursor?: string } };
  if (data.length === 0) return undefined;
  const { offset, cursor } = deviceRequestOf(asked);
  return pageAt(asked, offset + data.length, cursor ?? meta.cursor ?? null);
}

const firstPage = (asked: ReceivedRequest): ReceivedRequest =>
  pageAt(asked, 0, deviceRequestOf(asked).cursor ?? null);

function pageAt(asked: ReceivedRequest, offset: number, cursor: string | null): ReceivedRequest {
  const body = asked.body as { data: { attributes: { page?: object } } };
  const attributes = {
    ...body.data.attributes,
    page: { ...body.data.attributes.page, offset },
    cursor_id: cursor,
  };
  return { ...asked, body: { ...body, data: { ...body.data, attributes } } };
}
