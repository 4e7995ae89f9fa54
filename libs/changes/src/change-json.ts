import { changeSchemas } from '#libs/contracts';
import { isoTime } from '#libs/domain';

/** Names of the fields that are times in the schemas of the topics. */
const TIMES = new Set(changeSchemas().flatMap(({ schema }) => timesIn(schema)));

function timesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(timesIn);
  if (typeof schema !== 'object' || schema === null) return [];
  const { name, type } = schema as { name?: string; type?: unknown };
  const own = name !== undefined && isTime(type) ? [name] : [];
  return [...own, ...Object.values(schema).flatMap(timesIn)];
}

function isTime(type: unknown): boolean {
  if (Array.isArray(type)) return type.some(isTime);
  return (type as { logicalType?: string } | null)?.logicalType === 'timestamp-millis';
}

/** Names chosen by a sender have only lists as values, so a number with one of these names is a time of the service. */
const withTimes = (name: string, value: unknown): unknown =>
  typeof value === 'number' && TIMES.has(name) ? isoTime(value) : value;

/** A change for consumers of JSON, with times in ISO 8601. */
export const changeJson = (changed: object): string => JSON.stringify(changed, withTimes);
