import { i18n, type MessageDescriptor } from '@lingui/core';
import type { Failure } from '../api/client.ts';
import { formErrorsOf } from './act.ts';

/**
 * Error messages by row id.
 * @param placeOf the row and the field of a path
 */
export function rowErrors(
  error: Failure,
  isField: (path: string) => boolean,
  placeOf: (path: string) => readonly [id: string, field: string],
  names: Record<string, MessageDescriptor>,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, what] of Object.entries(formErrorsOf(error, isField).fields)) {
    const [id, field] = placeOf(path);
    const name = names[field];
    const sentence = `${name ? i18n._(name) : field}: ${what}.`;
    found[id] = found[id] ? `${found[id]} ${sentence}` : sentence;
  }
  return found;
}
