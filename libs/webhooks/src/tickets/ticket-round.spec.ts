import { describe, expect, it } from '@jest/globals';
import type { TicketFinding } from './ticket-finding.ts';
import { TicketKeeper } from './ticket-keeper.ts';
import { TicketRound } from './ticket-round.ts';
import type { Ticket, TicketStore } from './ticket-store.ts';
import { TicketError, type TicketSystem } from './ticket-system.ts';

const HOUR_MS = 3_600_000;
const STUCK = new TicketError('no transition', { status: null, isOfFinding: true });

/** Findings with their tickets, which are kept as by deliveries. */
class World {
  now = 10 * HOUR_MS;
  /** Everything that the system was asked to change, and did. */
  readonly acts: string[] = [];
  readonly tickets = new Map<string, Ticket>();
  /** By a part of the act. */
  readonly failures = new Map<string, Error>();

  constructor(readonly states: Record<string, 'Failed' | 'Qualified'>) {}

  private async act(what: string): Promise<void> {
    for (const [part, failure] of this.failures) if (what.includes(part)) throw failure;
    this.acts.push(what);
  }

  private readonly system: TicketSystem = {
    find: async () => null,
    open: async ({ title }) => {
      const [key = ''] = title.split(' ');
      await this.act(`open ${key}`);
      return { key, url: null };
    },
    close: ({ key }) => this.act(`close ${key}`),
    reopen: ({ key }) => this.act(`reopen ${key}`).then(() => true),
    labelOf: (key) => key,
    test: async () => '',
  };

  private readonly store: Pick<TicketStore, keyof TicketStore> = {
    find: async (_, id) => this.tickets.get(id),
    begin: async (_, id, at) => {
      const { key = null, url = null } = this.tickets.get(id) ?? {};
      this.tickets.set(id, { state: 'opening', key, url, openedAt: at, changedAt: at });
    },
    requested: async () => {},
    named: async (_, id, ticket) => void Object.assign(this.tickets.get(id)!, ticket),
    opened: async (_, id) => void Object.assign(this.tickets.get(id)!, { state: 'open' }),
    closed: async (_, id) => void Object.assign(this.tickets.get(id)!, { state: 'closed' }),
    forget: async (_, id) => void this.tickets.delete(id),
    openedSince: async (_, since) => {
      const times = [...this.tickets.values()].map(({ openedAt }) => openedAt).filter((at) => at > since);
      return { count: times.length, first: times[0] ?? null };
    },
    prune: async () => {},
  };

  /** One attempt. Returns what was done. */
  async attempt(openedPerHourMax = 60): Promise<string[]> {
    const before = this.acts.length;
    const round = new TicketRound(
      new TicketKeeper({
        webhook: { id: 'hook', filter: {}, options: { openedPerHourMax } },
        ...{ system: this.system, store: this.store, link: async () => {} },
        ...{ publicUrl: null, clock: () => this.now },
      }),
    );
    let failure: Error | null = null;
    try {
      for (const [id, state] of Object.entries(this.states)) {
        const mark = { text: id, formerTexts: [], since: this.now };
        await round.keep({ id, finding: found(id, state), mark });
      }
      round.end();
    } catch (error) {
      failure = error as Error;
    }
    return [...this.acts.slice(before), ...(failure ? [failure.message] : [])];
  }

  /** Tickets of some time ago. */
  has(...ids: string[]): this {
    const [state, at] = ['open', this.now - 2 * HOUR_MS] as const;
    for (const id of ids) this.tickets.set(id, { state, key: id, url: null, openedAt: at, changedAt: at });
    return this;
  }
}

const found = (id: string, state: TicketFinding['state']): TicketFinding => ({
  ...{ id, assetName: 'web01', type: 'va', name: id, state, retiredReason: null },
  severity: { value: 9, level: null, vector: null, baseScore: null, temporalScore: null, type: 'cvss' },
  ...{ cves: [], tickets: [], department: '', location: '', description: null, remediation: null },
  ...{ decision: null, entityKey: 'machine:web01' },
});

describe('TicketRound', () => {
  it('is not stopped by a ticket that cannot be changed, and repeats only this one', async () => {
    const world = new World({ f1: 'Failed', f7: 'Qualified', f8: 'Qualified', f9: 'Failed' }).has('f7', 'f8');
    world.failures.set('close f7', STUCK);
    expect(await world.attempt()).toEqual(['open f1', 'close f8', 'open f9', STUCK.message]);
    expect(await world.attempt()).toEqual([STUCK.message]);
    world.failures.clear();
    expect(await world.attempt()).toEqual(['close f7']);
    expect(await world.attempt()).toEqual([]);
  });

  it('closes tickets although no more can be opened within the hour', async () => {
    const world = new World({ f1: 'Failed', f2: 'Failed', f3: 'Failed', f4: 'Qualified' }).has('f4');
    const limit = expect.stringMatching(/^the limit of 1 tickets an hour/);
    expect(await world.attempt(1)).toEqual(['open f1', 'close f4', limit]);
    expect(await world.attempt(1)).toEqual([limit]);
    world.now += HOUR_MS;
    expect(await world.attempt(1)).toEqual(['open f2', limit]);
  });

  it('ends with the first failure of the findings that wait', async () => {
    const world = new World({ f1: 'Qualified', f2: 'Qualified' }).has('f1', 'f2');
    world.failures.set('f1', STUCK).set('f2', new TicketError('another', { status: 400, isOfFinding: true }));
    expect(await world.attempt()).toEqual([STUCK.message]);
  });

  it('asks once about a finding that fails', async () => {
    let asked = 0;
    const keep = () => {
      asked += 1;
      return Promise.reject(STUCK);
    };
    const round = new TicketRound({ keep });
    const kept = { id: 'f1', finding: null, mark: { text: '', formerTexts: [], since: 0 } };
    await round.keep(kept);
    await round.keep(kept);
    expect([asked, round.isDelayed('f1'), round.isDelayed('f2')]).toEqual([1, true, false]);
  });

  it.each([
    ['the connection', new Error('no answer')],
    ['the secret', new TicketError('unauthorized', { status: 401 })],
    ['the rate limit', new TicketError('limited', { status: 429, retryAfterMs: 60_000 })],
    ['the repository', new TicketError('no issues', { status: 410, isFinal: true })],
  ])('ends at once at a failure of %s, also after one of a finding', async (_, failure) => {
    const world = new World({ f1: 'Qualified', f2: 'Failed', f3: 'Failed' }).has('f1');
    world.failures.set('f1', STUCK).set('f2', failure);
    expect(await world.attempt()).toEqual([failure.message]);
  });
});
