import { BadRequestException, type Type, ValidationPipe } from '@nestjs/common';
import { hasSealMarks } from '#libs/contracts';
import { badInput } from '../http/bad-input.ts';
import { VALIDATION } from '../http/validation-pipe.ts';
import { withTerms } from './with-terms.ts';

export const QUERY_CHARACTERS_MAX = 4_000;

/** Before the names of parameters in errors, as in `query.severityMin`. */
export const ADDRESS_PATH = 'query.';

export const addressPipe = new ValidationPipe({
  ...VALIDATION,
  exceptionFactory: (errors) => badInput(errors, ADDRESS_PATH),
});

/** Parameters of an address, read as a route reads them. @throws BadRequestException that names the parameter */
export async function readAddress<T extends object>(metatype: Type<T>, query: string): Promise<T> {
  const given: T = await addressPipe.transform(parametersOf(query), { type: 'query', metatype });
  return withTerms(given, metatype, ADDRESS_PATH);
}

/** The parameters as an address encodes them. @throws BadRequestException if they are too long */
export function usualForm(query: string): string {
  const encoded = new URLSearchParams(query).toString();
  if (encoded.length <= QUERY_CHARACTERS_MAX) return encoded;
  throw new BadRequestException(`query must be of at most ${QUERY_CHARACTERS_MAX} characters when encoded`);
}

/** The query of a report as the console's list of findings has it: alternatives with commas, and all states by name. */
export function consoleForm(query: string): string {
  const { limit: _, ...given } = parametersOf(query);
  const shown = Object.entries({ state: 'any', ...given });
  return new URLSearchParams(
    shown.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

/** The parameters of an address; a repeated one is a list. @throws BadRequestException as for a request's own address */
export function parametersOf(query: string): Record<string, unknown> {
  const given = new URLSearchParams(query);
  if (hasSealMarks([...given].flat().join())) {
    throw new BadRequestException('query must not contain U+FDD0 or U+FDD1');
  }
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
