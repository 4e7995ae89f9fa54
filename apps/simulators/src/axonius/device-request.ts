import { type ReceivedRequest, Refusal } from '../http/answer.ts';
import type { Filter } from '../query/found-records.ts';
import { AqlError, parseAql } from './aql/parse-aql.ts';

const PAGE_MAX = 2_000;

export interface DeviceRequest {
  filter: Filter;
  offset: number;
  limit: number;
  usesCursor: boolean;
  cursor: string | undefined;
  selectors: string[];
  hasDetails: boolean;
}

type Attributes = Record<string, unknown>;

/**
 * The content of `data.attributes`.
 * @throws Refusal 422 if the envelope is another
 */
export function attributesOf({ body }: ReceivedRequest, type: string): Attributes {
  const data = (body as { data?: { type?: unknown; attributes?: unknown } } | null)?.data;
  const { attributes } = data ?? {};
  if (data?.type !== type || typeof attributes !== 'object' || attributes === null) {
    throw new Refusal(422, `data: an object of the type ${type} with attributes is needed`);
  }
  return attributes as Attributes;
}

/** @throws Refusal 400 if the filter is not supported, 422 if anything else is wrong */
export function deviceRequestOf(asked: ReceivedRequest): DeviceRequest {
  const attributes = attributesOf(asked, 'entity_request_schema');
  const page = (attributes.page ?? {}) as Attributes;
  return {
    filter: filterOf(attributes.filter),
    offset: wholeNumber(page.offset ?? 0, 'page.offset', 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(page.limit ?? PAGE_MAX, 'page.limit', 1, PAGE_MAX),
    usesCursor: attributes.use_cursor === true,
    cursor: typeof attributes.cursor_id === 'string' ? attributes.cursor_id : undefined,
    selectors: selectorsOf(attributes.fields),
    hasDetails: attributes.include_details === true,
  };
}

/** @throws Refusal 400 */
export function filterOf(query: unknown): Filter {
  try {
    return parseAql(typeof query === 'string' ? query : '');
  } catch (error) {
    if (error instanceof AqlError) throw new Refusal(400, 'The filter is invalid.');
    throw error;
  }
}

function selectorsOf(fields: unknown): string[] {
  const devices = (fields as { devices?: unknown } | null | undefined)?.devices ?? [];
  if (!Array.isArray(devices) || !devices.every((field) => typeof field === 'string')) {
    throw new Refusal(422, 'fields.devices: a list of field names is needed');
  }
  return devices;
}

function wholeNumber(value: unknown, name: string, min: number, max: number): number {
  if (!Number.isInteger(value) || (value as number) < min || (value as number) > max) {
    throw new Refusal(422, `${name}: a whole number from ${min} to ${max} is needed`);
  }
  return value as number;
}
