import { readFileSync } from 'node:fs';
import avro from 'avsc';
import type { Envelope, IntakeEvent, IntakePayload } from '#libs/domain';

/**
 * Intake events as bytes: Confluent wire format (a zero byte, the schema id in 4 bytes, the Avro body), with the
 * fixed ids of `schemas/ids.json`; no registry is asked (design "Events and the fold").
 */

interface SchemaIds {
  parts: string[];
  intake: { id: number; type: IntakePayload['type']; file: string }[];
}

/** The bytes carry a schema id that this version does not know: it is older than the log (rule 7). */
export class UnknownSchemaError extends Error {
  override name = 'UnknownSchemaError';
}

/** The bytes do not decode under the schema that they name (rule 7: to the quarantine). */
export class CorruptRecordError extends Error {
  override name = 'CorruptRecordError';
}

const HEADER_BYTES = 5;
const schemasUrl = new URL(
  import.meta.url.includes('/dist/') ? '../../../../schemas/' : '../../../schemas/',
  import.meta.url,
);
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, schemasUrl), 'utf8'));

const ids: SchemaIds = readJson('ids.json');

/** Each schema is built in a registry of its own, so that it stands alone when it is served. */
function buildType(file: string): avro.Type {
  const registry: Record<string, avro.Type> = {};
  const logicalTypes = {};
  for (const part of ids.parts) {
    avro.Type.forSchema(readJson(`intake/${part}.avsc`), { registry, logicalTypes });
  }
  return avro.Type.forSchema(readJson(`intake/${file}.avsc`), { registry, logicalTypes });
}

const byId = new Map(ids.intake.map(({ id, type, file }) => [id, { type, avro: buildType(file) }]));
const byType = new Map(ids.intake.map(({ id, type }) => [type, { id, avro: byId.get(id)!.avro }]));

/** Schema ids with their complete Avro schemas, as a registry serves them. */
export const intakeSchemas = (): { id: number; type: string; schema: string }[] =>
  [...byId].map(([id, { type, avro: t }]) => ({
    id,
    type,
    schema: JSON.stringify(t.schema({ exportAttrs: true })),
  }));

export function encodeIntake({ envelope, payload }: IntakeEvent): Buffer {
  const { id, avro: type } = byType.get(payload.type)!;
  const record = { ...payload, envelope };
  const size = HEADER_BYTES + 1024;
  const buffer = Buffer.allocUnsafe(size);
  const end = type.encode(record, buffer, HEADER_BYTES);
  if (end < 0) return encodeLarge(id, type, record, size - end);
  writeHeader(buffer, id);
  return buffer.subarray(0, end);
}

function encodeLarge(id: number, type: avro.Type, record: unknown, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size);
  type.encode(record, buffer, HEADER_BYTES);
  writeHeader(buffer, id);
  return buffer;
}

function writeHeader(buffer: Buffer, id: number): void {
  buffer[0] = 0;
  buffer.writeInt32BE(id, 1);
}

/**
 * @throws UnknownSchemaError where the schema id is not in ids.json
 * @throws CorruptRecordError where the bytes are not in wire format or do not decode
 */
export function decodeIntake(value: Buffer): IntakeEvent {
  if (value.length < HEADER_BYTES || value[0] !== 0) {
    throw new CorruptRecordError('not in Confluent wire format');
  }
  const id = value.readInt32BE(1);
  const known = byId.get(id);
  if (!known) throw new UnknownSchemaError(`schema id ${id} is not known to this version: upgrade it`);
  let record: { envelope: Envelope };
  try {
    const decoded = known.avro.decode(value, HEADER_BYTES);
    if (decoded.offset !== value.length) throw new Error('trailing bytes');
    record = decoded.value;
  } catch (error) {
    throw new CorruptRecordError(`does not decode as ${known.type}: ${(error as Error).message}`);
  }
  const { envelope, ...payload } = record;
  return { envelope, payload: { type: known.type, ...payload } as IntakePayload };
}
