import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../../../test/support/long-run.ts';
import type { ChangeFilter } from '../change-filter.ts';
import { channelMessages } from './channel-messages.ts';
import type { TicketFinding } from './ticket-finding.ts';
import { TicketKeeper } from './ticket-keeper.ts';
import type { Ticket, TicketStore } from './ticket-store.ts';
import { type RemoteTicket, TicketError, type TicketSystem } from './ticket-system.ts';

const WEBHOOK = 'b8a6a9f4-5c1e-4a38-9a3d-0f0a2a8a9a01';
const FINDING = '0b8a3f0e-6f7c-5d1e-9c55-6b1f0d3a7a11';
const HOUR_MS = 3_600_000;
/** Searches of the other system show a new ticket so long after its creation. */
const LAG_MS = 5;
/** How long the system waits for it. */
const LAG_MS_MAX = 8;

class Crash extends Error {}

/** Everything that the service asks of others, one after another; a step of these can be the last. */
class World {
  now = 1_000_000;
  readonly issues = new Map<string, { isOpen: boolean; mark: string; at: number }>();
  readonly links = new Set<string>();
  readonly ends: string[] = [];
  row: Ticket | undefined;
  /** Answer to every creation. */
  rejection: TicketError | null = null;
  /** Steps until the crash. */
  left = Number.POSITIVE_INFINITY;

  private step<T>(work: () => T): Promise<T> {
    this.now += 1;
    if (this.left === 0) return Promise.reject(new Crash());
    this.left -= 1;
    const done = work();
    // What was asked for has happened, and its answer is lost.
    return this.left === 0 ? Promise.reject(new Crash()) : Promise.resolve(done);
  }

  system: TicketSystem = {
    find: ({ text, since, requestedAt }) =>
      this.step(() => {
        const isShown = ({ mark, at }: { mark: string; at: number }) =>
          mark === text && at >= since && at + LAG_MS <= this.now;
        const found = [...this.issues].find(([, issue]) => isShown(issue));
        if (found) return remote(found[0]);
        const retryAfterMs = requestedAt === null ? 0 : requestedAt + LAG_MS_MAX - this.now;
        if (retryAfterMs > 0) throw new TicketError('waits', { status: null, retryAfterMs });
        return null;
      }),
    open: (_, { text }) =>
      this.step(() => {
        if (this.rejection) throw this.rejection;
        const key = `${this.issues.size + 1}`;
        this.issues.set(key, { isOpen: true, mark: text, at: this.now });
        return remote(key);
      }),
    close: ({ key }, content, end) =>
      this.step(() => {
        this.set(key, false);
        this.ends.push(content ? end : `silently: ${end}`);
      }),
    reopen: ({ key }) => this.step(() => this.set(key, true)),
    labelOf: (key) => `#${key}`,
    test: async () => '',
  };

  readonly store: Pick<TicketStore, keyof TicketStore> = {
    find: async () => this.row,
    begin: (_, __, at) =>
      this.step(() => {
        const { key = null, url = null } = this.row ?? {};
        this.row = { state: 'opening', key, url, openedAt: at, changedAt: at };
      }),
    requested: (_, __, at) => this.change({ changedAt: at }),
    named: (_, __, { key, url }, at) => this.change({ key, url, changedAt: at }),
    opened: (_, __, at) => this.change({ state: 'open', changedAt: at }),
    closed: (_, __, at) => this.change({ state: 'closed', changedAt: at }),
    forget: () =>
      this.step(() => {
        this.row = undefined;
      }),
    openedSince: async (_, since) => {
      const isCounted = this.row !== undefined && this.row.openedAt > since;
      return { count: isCounted ? 1 : 0, first: isCounted ? this.row!.openedAt : null };
    },
    prune: async () => {},
  };

  private change(columns: Partial<Ticket>): Promise<void> {
    return this.step(() => {
      this.row = { ...this.row!, ...columns };
    });
  }

  keeper(options = { openedPerHourMax: 1_000 }, filter: ChangeFilter = { severityMin: 7 }): TicketKeeper {
    return new TicketKeeper({
      webhook: { id: WEBHOOK, filter, options },
      system: this.system,
      store: this.store,
      link: (_, { url }) => this.step(() => void this.links.add(url)),
      publicUrl: null,
      clock: () => this.now,
    });
  }

  /** Tries until it is done, as deliveries do; the first attempt ends after some steps. */
  async keep(finding: TicketFinding | null, stepsUntilCrash: number): Promise<void> {
    const since = this.now;
    this.left = stepsUntilCrash;
    for (;;) {
      try {
        const seen = finding && { ...finding, tickets: [...this.links].map((url) => ({ url, label: '' })) };
        await this.keeper().keep({ id: FINDING, finding: seen, mark: markOf(since) });
        return;
      } catch (error) {
        this.left = Number.POSITIVE_INFINITY;
        if (error instanceof Crash) continue;
        const wait = error instanceof TicketError ? error.details.retryAfterMs : null;
        if (!wait) throw error;
        this.now += wait;
      }
    }
  }

  get open(): number {
    return [...this.issues.values()].filter(({ isOpen }) => isOpen).length;
  }

  private set(key: string | null, isOpen: boolean): boolean {
    const issue = this.issues.get(key!);
    if (issue) issue.isOpen = isOpen;
    return issue !== undefined;
  }
}

const markOf = (since: number) => ({ text: 'mark', formerTexts: [], since });

const remote = (key: string): RemoteTicket => ({ key, url: `https://tickets.example/${key}` });

const found = (state: TicketFinding['state'], severity = 9): TicketFinding => ({
  id: FINDING,
  assetName: 'web01',
  type: 'va',
  name: 'old kernel',
  state,
  retiredReason: null,
  severity: {
    value: severity,
    level: null,
    vector: null,
    baseScore: null,
    temporalScore: null,
    type: 'cvss',
  },
  cves: [],
  tickets: [],
  department: 'Sales',
  location: 'Berlin',
  description: null,
  remediation: null,
  decision: null,
  entityKey: 'machine:web01',
});

describe('TicketKeeper', () => {
  it('keeps one ticket, open while the finding fails, wherever it is interrupted', async () => {
    const moment = fc.record({
      state: fc.constantFrom('Failed', 'Qualified', 'AcceptedFailed', 'Retired', null),
      stepsUntilCrash: fc.integer({ min: 0, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { maxLength: 8 }), async (moments) => {
        const world = new World();
        let hasFailed = false;
        for (const { state, stepsUntilCrash } of moments) {
          await world.keep(state && found(state), stepsUntilCrash);
          hasFailed ||= state === 'Failed';
          expect(world.issues.size).toBe(hasFailed ? 1 : 0);
          expect(world.open).toBe(state === 'Failed' ? 1 : 0);
          expect(world.links.size).toBe(hasFailed ? 1 : 0);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it('opens none for a finding that does not match, and keeps one whose severity has fallen', async () => {
    const world = new World();
    await world.keep(found('Failed', 5), 9);
    expect(world.issues.size).toBe(0);
    await world.keep(found('Failed', 8), 9);
    await world.keep(found('Failed', 5), 9);
    expect(world.open).toBe(1);
    await world.keep(found('Qualified', 0), 9);
    expect(world.open).toBe(0);
    await world.keep(found('Failed', 5), 9);
    expect(world.open).toBe(0);
  });

  it('closes a ticket that a user has detached without attaching it again', async () => {
    const world = new World();
    await world.keep(found('Failed'), Number.POSITIVE_INFINITY);
    world.links.clear();
    await world.keep(found('Qualified'), Number.POSITIVE_INFINITY);
    expect([world.open, world.links.size]).toEqual([0, 0]);
  });

  it('opens a new one in place of one that was deleted', async () => {
    const world = new World();
    await world.keep(found('Failed'), 9);
    await world.keep(found('Qualified'), 9);
    world.issues.delete('1');
    world.issues.set('other', { isOpen: false, mark: 'other', at: 0 });
    await world.keep(found('Failed'), 9);
    expect([...world.issues.keys()]).toEqual(['other', '2']);
    expect(world.open).toBe(1);
  });

  it('forgets a request that was rejected, and waits for one whose result is not known', async () => {
    const world = new World();
    const keep = () =>
      world.keeper().keep({ id: FINDING, finding: found('Failed'), mark: markOf(world.now) });
    world.rejection = new TicketError('no', { status: 400 });
    await expect(keep()).rejects.toThrow('no');
    expect(world.row).toBeUndefined();
    world.rejection = new TicketError('perhaps', { status: 502 });
    await expect(keep()).rejects.toThrow('perhaps');
    expect(world.row).toMatchObject({ state: 'opening' });
    world.rejection = null;
    await expect(keep()).rejects.toThrow('waits');
    world.now += LAG_MS_MAX;
    expect(await keep()).toBe('opened');
  });

  it('closes a ticket that the filter no longer has; without a message if only the type is another', async () => {
    const world = new World();
    const mark = markOf(world.now);
    const keep = (filter: ChangeFilter, state: TicketFinding['state'] = 'Failed') =>
      world.keeper({ openedPerHourMax: 9 }, filter).keep({ id: FINDING, finding: found(state), mark });
    expect(await keep({ types: ['va'] })).toBe('opened');
    expect(await keep({ types: ['ca'] })).toBe('closed');
    expect(await keep({ types: ['va'] })).toBe('reopened');
    expect(await keep({ states: ['Failed', 'AcceptedFailed'] }, 'AcceptedFailed')).toBeNull();
    expect(await keep({}, 'AcceptedFailed')).toBe('closed');
    expect(world.ends).toEqual(['silently: Outside the filter', 'Accepted Failed']);
  });

  it('says in a channel that a finding failed again, also if that is not accepted at once', async () => {
    const world = new World();
    const said: string[] = [];
    let failure: TicketError | null = null;
    const say = async (title: string) => {
      if (failure) throw failure;
      said.push(title);
    };
    world.system = channelMessages(say, async () => '');
    const keep = (state: TicketFinding['state']) =>
      world.keeper().keep({ id: FINDING, finding: found(state), mark: markOf(world.now) });
    await keep('Failed');
    await keep('Qualified');
    failure = new TicketError('too many messages', { status: 429 });
    await expect(keep('Failed')).rejects.toThrow(failure);
    failure = null;
    expect(await keep('Failed')).toBe('reopened');
    const title = 'old kernel on web01';
    expect(said).toEqual([`New: ${title}`, `Fixed: ${title}`, `Failed again: ${title}`]);
    expect(world.links.size).toBe(0);
  });

  it('waits when the limit of an hour is reached', async () => {
    const world = new World();
    const mark = markOf(world.now);
    const keeper = world.keeper({ openedPerHourMax: 1 });
    await keeper.keep({ id: FINDING, finding: found('Failed'), mark });
    await keeper.keep({ id: FINDING, finding: found('Qualified'), mark });
    const again = () => keeper.keep({ id: FINDING, finding: found('Failed'), mark });
    const waits = { status: null, retryAfterMs: expect.any(Number) };
    await expect(again()).rejects.toMatchObject({
      message: 'the limit of 1 tickets an hour is reached (openedPerHourMax): the others wait',
      details: waits,
    });
    world.now += HOUR_MS;
    expect(await again()).toBe('reopened');
  });
});
