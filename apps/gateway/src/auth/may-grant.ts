import { ScopeMissingException } from './access.ts';
import type { Scope } from './scopes.ts';

/**
 * No caller obtains more than its own scopes by a credential or token that it creates or rotates.
 * @throws ScopeMissingException with the missing scopes
 */
export function assertMayGrant(scopes: Iterable<Scope>, own: ReadonlySet<Scope>): void {
  const lacking = [...scopes].filter((scope) => !own.has(scope));
  if (lacking.length === 0) return;
  throw new ScopeMissingException(
    `you may grant only scopes that you have yourself: you do not have ${lacking.join(', ')}`,
  );
}
