/** The value of a report's word in a table. A member that all objects have, such as `constructor`, is no value. */
export const lookup = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
