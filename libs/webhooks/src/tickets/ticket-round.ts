import type { Kept, KeptFinding, TicketKeeper } from './ticket-keeper.ts';
import { TicketError } from './ticket-system.ts';

/** The findings of one attempt, one after another. A failure that concerns one finding does not delay the others. */
export class TicketRound {
  readonly done: Kept[] = [];
  private readonly delayed = new Map<string, TicketError>();

  constructor(private readonly keeper: Pick<TicketKeeper, 'keep'>) {}

  /**
   * Does nothing if the finding has failed before in this attempt.
   * @throws TicketError, EgressError: the others would fail too
   */
  async keep(kept: KeptFinding): Promise<void> {
    if (this.isDelayed(kept.id)) return;
    try {
      this.done.push(await this.keeper.keep(kept));
    } catch (error) {
      if (!concernsOneFinding(error)) throw error;
      this.delayed.set(kept.id, error);
    }
  }

  isDelayed(findingId: string): boolean {
    return this.delayed.has(findingId);
  }

  /** @throws TicketError the first failure of a finding */
  end(): void {
    const [first] = this.delayed.values();
    if (first) throw first;
  }
}

function concernsOneFinding(error: unknown): error is TicketError {
  if (!(error instanceof TicketError)) return false;
  const { isOwnLimit = false, isOfFinding = false } = error.details;
  return isOwnLimit || isOfFinding;
}
