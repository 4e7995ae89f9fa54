import { parseJson, parseSignal } from '#libs/contracts';
import {
  displayName,
  entityKey,
  readEntityType,
  readSignal,
  type SignalContext,
  type SignalReading,
} from '#libs/domain';

/**
 * Converts bytes to the event for the log, or to problems: parsed and checked by the schema, then read by the domain.
 */
export function readUploadedSignal(bytes: Buffer, context: SignalContext): SignalReading {
  const parsed = parseSignal(bytes);
  return parsed.ok ? readSignal(parsed.signal, context) : parsed;
}

/** Key of the entity that a malformed signal is about; null if it cannot be read (R-ZIP-6). */
export function entityKeyOfMalformed(bytes: Buffer): string | null {
  const parsed = parseJson(bytes);
  const entity = parsed.ok ? (parsed.value as { entity?: unknown } | null)?.entity : null;
  const { type: typeName, name } = (entity ?? {}) as { type?: unknown; name?: unknown };
  if (typeof typeName !== 'string' || typeof name !== 'string' || displayName(name) === '') return null;
  const type = readEntityType(typeName);
  return type === null ? null : entityKey(type, name);
}
