import type { TestDatabase } from './database.ts';

export interface SeenStatements {
  texts: string[];
  /** To be called before the test ends. */
  end: () => void;
}

/** The statements of a pool from now on, as they begin. */
export function seenStatements({ pool }: Pick<TestDatabase, 'pool'>): SeenStatements {
  const texts: string[] = [];
  const seen = new Map<{ query: unknown }, (...args: unknown[]) => unknown>();
  const note = (client: { query: unknown }) => {
    if (seen.has(client)) return;
    const query = client.query as (...args: unknown[]) => unknown;
    seen.set(client, query);
    client.query = (...args: unknown[]) => {
      const [asked] = args as [string | { text: string }];
      texts.push(typeof asked === 'string' ? asked : asked.text);
      return query.apply(client, args);
    };
  };
  pool.on('acquire', note);
  const end = () => {
    pool.off('acquire', note);
    for (const [client, query] of seen) client.query = query;
  };
  return { texts, end };
}
