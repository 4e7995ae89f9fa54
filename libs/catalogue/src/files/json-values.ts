import { JSONParser } from '@streamparser/json';
import type { CatalogueFile } from './catalogue-file.ts';
import { CatalogueFileError } from './catalogue-file-error.ts';

/** A value found in a JSON document. */
export interface JsonValue {
  /** Name of the member that the value is of, or of the array that it is an element of. */
  member: string;
  /** Place in the array, from 0; null for a member's own value. */
  index: number | null;
  value: unknown;
}

/** No record of any publisher comes near it; without it, one broken bracket would gather the whole file in memory. */
const RECORD_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Values of a JSON object that may be larger than memory, as they come: the elements of one member that is an array,
 * and single members of the top level.
 *
 * @throws CatalogueFileError where the file is no JSON or ends too early
 */
export async function* jsonValues(
  file: CatalogueFile,
  arrayMember: string,
  members: readonly string[],
): AsyncGenerator<JsonValue> {
  const found: JsonValue[] = [];
  const parser = new JSONParser({
    paths: [`$.${arrayMember}.*`, ...members.map((member) => `$.${member}`)],
    keepStack: false,
  });
  parser.onValue = ({ key, value }) => {
    const isElement = typeof key === 'number';
    found.push({ member: isElement ? arrayMember : String(key), index: isElement ? key : null, value });
  };
  let bytes = 0;
  let lastValueAt = 0;
  for await (const chunk of file.content()) {
    parse(() => parser.write(chunk));
    bytes += chunk.length;
    if (found.length > 0) {
      yield* found.splice(0);
      lastValueAt = bytes;
    } else if (bytes - lastValueAt > RECORD_BYTES_MAX) {
      throw new CatalogueFileError(file.name, `byte ${lastValueAt}`, 'a record is longer than 64 MB');
    }
  }
  if (!parser.isEnded) {
    throw new CatalogueFileError(file.name, `byte ${bytes}`, 'the file ends in the middle of its JSON');
  }

  function parse(step: () => void): void {
    try {
      step();
    } catch (error) {
      // The parser's own words may quote the file.
      const position = /absolute position "(\d+)"/.exec((error as Error).message)?.[1];
      throw new CatalogueFileError(
        file.name,
        position ? `byte ${position}` : `after byte ${bytes}`,
        'is no valid JSON',
      );
    }
  }
}
