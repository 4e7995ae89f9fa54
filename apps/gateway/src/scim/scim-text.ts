import { ScimError, type ScimType } from './scim-error.ts';

const CHARACTERS_MAX = 255;

/** An empty text counts as none. @throws ScimError if it is too long, or has control characters */
export function textIn(
  name: string,
  given: unknown,
  max = CHARACTERS_MAX,
  scimType: ScimType = 'invalidValue',
): string | null {
  if (given === undefined || given === null || given === '') return null;
  if (typeof given === 'string' && given.length <= max && !/\p{Cc}/u.test(given)) return given;
  throw new ScimError(
    400,
    `${name} must be a text of at most ${max} characters without control characters`,
    scimType,
  );
}
