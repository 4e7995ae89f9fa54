import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { preparingClient } from '../preparing-pool.ts';
import { isStatementTimeout } from '../statement-timeout.ts';
import { isTransientError } from '../transient-error.ts';

type Statement = [text: string, values: unknown[]];

const READ_ONLY_TRANSACTION = '25006';

/**
 * A connection to a replica that becomes one to the primary when the replica cancels a statement, because a row that it
 * reads is removed or the server stops. The statement, and those before it of its transaction, run again: nothing was
 * written, and a transaction that is read committed may see other rows with each statement.
 * @param onRead called for each statement, with the server that answers it
 */
export function readingClient(
  replica: pg.PoolClient,
  onPrimary: PostgresPool,
  onRead: (server: 'replica' | 'primary') => void,
): PostgresPoolClient {
  const onReplica = preparingClient(replica);
  let primary: PostgresPoolClient | undefined;
  /** It may have a transaction open that has failed. */
  let isSpent = false;
  let ofTransaction: Statement[] = [];

  const query = async (...statement: Statement) => {
    const result = await (primary ?? onReplica).query(...statement).catch(async (error) => {
      if (primary || !isCancelledByReplica(error)) throw error;
      isSpent = true;
      primary = await onPrimary.connect();
      for (const earlier of ofTransaction) await primary.query(...earlier);
      return primary.query(...statement);
    });
    onRead(primary ? 'primary' : 'replica');
    ofTransaction = statementsOfTransaction(ofTransaction, statement);
    return result;
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: () => {
      primary?.release();
      replica.release(isSpent);
    },
  };
}

/** Those since its begin; none outside of one. */
function statementsOfTransaction(before: Statement[], statement: Statement): Statement[] {
  const [text] = statement;
  if (/^\s*(begin|start transaction)\b/i.test(text)) return [statement];
  return before.length === 0 || /^\s*(commit|rollback)\b/i.test(text) ? [] : [...before, statement];
}

const isCancelledByReplica = (error: unknown): boolean =>
  isTransientError(error) &&
  !isStatementTimeout(error) &&
  (error as { code?: unknown }).code !== READ_ONLY_TRANSACTION;
