import { BadRequestException } from '@nestjs/common';
import type { Term } from '../query-terms/read-terms.ts';
import { termMessage } from '../query-terms/with-terms.ts';

/** The beginning of the parameters that filter by custom fields. */
export const CUSTOM_FIELD = 'customField.';

const CUSTOM_FIELDS_MAX = 10;
const FIELD_CHARACTERS_MAX = 1000;

/**
 * Custom field → option.
 * @param given parameters of a request
 * @param terms of its query text
 * @throws BadRequestException that names the parameter, or the place in the text
 */
export function customFieldsOf(
  given: readonly [string, unknown][],
  terms: readonly Term[],
): Record<string, string> {
  if (given.length + terms.length > CUSTOM_FIELDS_MAX) {
    throw new BadRequestException(
      `customField: a request can filter by at most ${CUSTOM_FIELDS_MAX} custom fields`,
    );
  }
  const named = new Map<string, string>();
  for (const [key, value] of given) {
    const problem = problemOf(key, value);
    if (problem !== null) throw new BadRequestException(problem);
    named.set(key, value as string);
  }
  for (const { parameter, value, position } of terms) {
    const problem = named.has(parameter)
      ? `${parameter} is given too: omit one of them`
      : problemOf(parameter, value);
    if (problem !== null) throw new BadRequestException(termMessage(position, problem));
    named.set(parameter, value);
  }
  return Object.fromEntries([...named].map(([key, value]) => [key.slice(CUSTOM_FIELD.length), value]));
}

function problemOf(key: string, value: unknown): string | null {
  if (typeof value !== 'string') return `${key} must be a string and occur once`;
  if (key.length <= FIELD_CHARACTERS_MAX && value.length <= FIELD_CHARACTERS_MAX && !/\0/.test(key + value)) {
    return null;
  }
  return `${key.slice(0, 100)}: name and value must be of at most ${FIELD_CHARACTERS_MAX} characters, without U+0000`;
}
