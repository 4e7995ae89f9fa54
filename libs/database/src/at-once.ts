import type { QueryExecutorProvider, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Sends statements of a transaction without waiting for each other's answers: PostgreSQL executes them in their order,
 * and the round trips between them, which cost as much as a short statement, are saved. None of them may depend on the
 * answer of another one.
 * @param start starts each statement on what it is passed, instead of on the transaction
 * @returns their results, after the last answer
 * @throws the error of the first statement that failed; those after it have failed too
 */
export function atOnce<T extends readonly unknown[]>(
  trx: Transaction<Schema>,
  start: (statements: QueryExecutorProvider) => { [I in keyof T]: Promise<T[I]> },
): Promise<T> {
  const executor = trx.getExecutor();
  return executor.provideConnection(async (connection) => {
    const unqueued = executor.withConnectionProvider({ provideConnection: (use) => use(connection) });
    const running = start({ getExecutor: () => unqueued });
    // Fails with what failed first.
    const all = Promise.all(running);
    await Promise.allSettled([all, ...running]);
    return (await all) as unknown as T;
  });
}
