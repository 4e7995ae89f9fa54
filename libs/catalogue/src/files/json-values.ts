import { readJson } from '#libs/readers';
import type { CatalogueFile } from './catalogue-file.ts';
import { failOf } from './catalogue-file-error.ts';

/** A value found in a JSON document. */
export interface JsonValue {
  /** Name of the member that the value is of, or of the array that it is an element of. */
  member: string;
  /** Place in the array, from 0; null for a member's own value. */
  index: number | null;
  value: unknown;
}

/**
 * Values of a JSON object that may be larger than memory, as they come: the elements of one member that is an array,
 * and single members of the top level.
 *
 * @throws CatalogueFileError if the file is not JSON, ends too early, is nested too deep or has a longer record
 */
export async function* jsonValues(
  { name, content }: CatalogueFile,
  arrayMember: string,
  members: readonly string[],
): AsyncGenerator<JsonValue> {
  const paths = [`$.${arrayMember}.*`, ...members.map((member) => `$.${member}`)];
  const truncated = 'the file ends in the middle of its JSON';
  for await (const { path, value } of readJson(content(), failOf(name), paths, { truncated })) {
    const key = path.at(-1);
    const isElement = typeof key === 'number';
    yield { member: isElement ? arrayMember : String(key), index: isElement ? key : null, value };
  }
}
