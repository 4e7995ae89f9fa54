import { usageError } from '../cli-error.ts';

/** The longest page that the lists return. */
export const PAGE = { params: { query: { limit: 500 } } };

/** What a list of the service contains, and how users name one of it. */
export interface Listed<T> {
  noun: string;
  /** What its name is called. */
  name: string;
  nameOf(item: T): string;
  /** Shows all of them. */
  command: string;
}

/** All items; the service has 10,000 credentials and 1,000 API tokens at most. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/**
 * The item of an id or a name.
 * @throws CliError exit 2 if there is none, or the id of one is the name of another: a guess could end the tokens of
 * the wrong one
 */
export async function oneOf<T extends { id: string }>(
  items: AsyncIterable<T>,
  idOrName: string,
  { noun, name, nameOf, command }: Listed<T>,
): Promise<T> {
  const found = (await allOf(items)).filter(
    (item) => item.id === idOrName.toLowerCase() || nameOf(item) === idOrName,
  );
  const [one, other] = found;
  if (!one) throw usageError(`no ${noun} with ${name} or id ${idOrName}`, [`${command} shows all ${noun}s`]);
  if (other) {
    throw usageError(
      `${idOrName} is the id of one ${noun} and the ${name} of another`,
      found.map((item) => `${nameOf(item)}, id ${item.id}`),
    );
  }
  return one;
}
