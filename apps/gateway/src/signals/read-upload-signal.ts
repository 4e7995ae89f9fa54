import { parseJson, parseSignal } from '#libs/contracts';
import { entityKey, readEntityType, readSignal, type SignalContext, type SignalReading } from '#libs/domain';

/** From bytes to what goes on the log, or why not: parsed and checked by the schema, then read by the domain. */
export function readUploadedSignal(bytes: Buffer, context: SignalContext): SignalReading {
  const parsed = parseSignal(bytes);
  return parsed.ok ? readSignal(parsed.signal, context) : parsed;
}

/** Key of the entity that a malformed signal is about, as far as it says so (D16); null where it cannot be read. */
export function entityKeyOfMalformed(bytes: Buffer): string | null {
  const parsed = parseJson(bytes);
  const entity = parsed.ok ? (parsed.value as { entity?: unknown } | null)?.entity : null;
  const { type: typeName, name } = (entity ?? {}) as { type?: unknown; name?: unknown };
  if (typeof typeName !== 'string' || typeof name !== 'string' || name.trim() === '') return null;
  const type = readEntityType(typeName);
  return type === null ? null : entityKey(type, name);
}
