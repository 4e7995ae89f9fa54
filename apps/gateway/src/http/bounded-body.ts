import { BadRequestException } from '@nestjs/common';

/** Above what any route takes, and low enough for libraries whose time grows with the square of them. */
const MEMBERS_MAX = 2_000;
const ELEMENTS_MAX = 5_000;
/** Members and elements in all. */
const VALUES_MAX = 30_000;
const PATH_CHARACTERS_MAX = 200;

/**
 * Refuses a parsed body that is small in bytes and takes minutes to check: class-transformer compares all members of an
 * object with each other, class-validator all elements of a list, also in fields that no route has.
 * @throws BadRequestException (400) with the path
 */
export function assertBounded(body: unknown): void {
  const waiting = [{ path: '', value: body }];
  let values = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, value } = next;
    if (typeof value !== 'object' || value === null) continue;
    const [size, max, what] = Array.isArray(value)
      ? [value.length, ELEMENTS_MAX, 'elements']
      : [Object.keys(value).length, MEMBERS_MAX, 'members'];
    if (size > max) throw tooMany(path, max, what, size);
    values += size;
    if (values > VALUES_MAX) throw tooMany('', VALUES_MAX, 'members and elements in all');
    for (const [name, one] of Object.entries(value)) {
      if (typeof one === 'object') waiting.push({ path: path === '' ? name : `${path}.${name}`, value: one });
    }
  }
}

function tooMany(path: string, max: number, what: string, got?: number): BadRequestException {
  const place = path === '' ? 'the body' : path.slice(0, PATH_CHARACTERS_MAX);
  const number = got === undefined ? '' : ` (got ${got})`;
  return new BadRequestException(`${place} must contain at most ${max} ${what}${number}`);
}
