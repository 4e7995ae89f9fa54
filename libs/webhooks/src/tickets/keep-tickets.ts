import type { Kysely } from 'kysely';
import { NIL } from 'uuid';
import type { CursorSeal } from '#libs/changes';
import type { Clock } from '#libs/config';
import type { Schema } from '#libs/database';
import { type Egress, EgressError } from '#libs/egress';
import type { PlacedChange } from '../delivery-body.ts';
import { ANSWER_MS_MAX, type Sent } from '../send.ts';
import type { Webhook } from '../webhook.ts';
import type { WebhookSecrets } from '../webhook-secrets.ts';
import { findingsWithoutTicket } from './findings-to-keep.ts';
import { openTicketSystem } from './open-ticket-system.ts';
import { readTicketFindings } from './ticket-finding.ts';
import { type Kept, type LinkTicket, TicketKeeper } from './ticket-keeper.ts';
import type { TicketKind } from './ticket-kinds.ts';
import { TicketRound } from './ticket-round.ts';
import { TicketStore } from './ticket-store.ts';
import { TicketError } from './ticket-system.ts';

const FINDINGS_AT_ONCE = 100;

export interface TicketParts {
  db: Kysely<Schema>;
  egress: Egress;
  secrets: WebhookSecrets;
  /** Of the marks of tickets. */
  seal: Pick<CursorSeal, 'changeId' | 'formerChangeIds'>;
  clock: Clock;
  link: LinkTicket;
  /** Origin of the service; null: tickets have no link to it. */
  publicUrl: string | null;
  /** For one request. */
  timeoutMs?: number;
}

/** What a delivery of tickets is about. */
export interface TicketWork {
  changes: readonly PlacedChange[];
  /** Ids of findings whose tickets the filter no longer keeps open. */
  outside: readonly string[];
}

/**
 * Makes the tickets of changed findings what they have to be. A finished ticket stays so if another one fails: the
 * next attempt continues.
 * @throws WebhookSecretError; EgressError `aborted` if the signal is
 */
export async function keepTickets(
  { db, egress, secrets, seal, clock, link, publicUrl, timeoutMs = ANSWER_MS_MAX }: TicketParts,
  webhook: Webhook & { kind: TicketKind },
  { changes, outside }: TicketWork,
  signal: AbortSignal,
): Promise<Sent> {
  const begun = performance.now();
  const answer = (status: number | null, message: string) => ({
    status,
    message,
    ms: Math.round(performance.now() - begun),
  });
  const { id, kind, url, options } = webhook;
  const [secret] = await secrets.open(webhook, clock());
  const system = openTicketSystem(kind, { egress, url, secret, clock, timeoutMs, signal }, options);
  const keeper = new TicketKeeper({ webhook, system, store: new TicketStore(db), link, publicUrl, clock });
  const round = new TicketRound(keeper);
  const keepAll = async (ids: readonly string[], sinceOf: (id: string) => number) => {
    const findings = await readTicketFindings(db, ids, webhook);
    for (const findingId of ids) {
      if (signal.aborted) throw new EgressError('aborted', 'the service is stopping');
      await assertUnchanged(db, webhook);
      const name = `ticket/${id}/${findingId}`;
      const texts = { text: seal.changeId(name), formerTexts: seal.formerChangeIds(name) };
      const mark = { ...texts, since: sinceOf(findingId) };
      await round.keep({ id: findingId, finding: findings.get(findingId) ?? null, mark });
    }
  };
  try {
    await keepAll(outside, () => clock());
    const { findings, assets } = changedSubjects(changes);
    await keepAll([...findings.keys()], (findingId) => findings.get(findingId)!);
    const since = Math.min(...assets.values());
    for await (const ids of unticketed(db, webhook, [...assets.keys()])) {
      await keepAll(ids, () => since);
      // An attempt fails for one page at most. The next one reads it again, without the finished findings.
      if (ids.some((findingId) => round.isDelayed(findingId))) break;
    }
    round.end();
    return { outcome: 'taken', answer: answer(null, wordsOf(round.done)), retryAfterMs: null };
  } catch (error) {
    const hasProgress = round.done.some((one) => one !== null);
    if (error instanceof TicketError) {
      const { status, retryAfterMs = null, isFinal = false, isOwnLimit = false } = error.details;
      return {
        outcome: isFinal ? 'gone' : 'failed',
        answer: answer(status, error.message),
        ...{ retryAfterMs, isOwnLimit, hasProgress },
      };
    }
    if (!(error instanceof EgressError) || error.failure === 'aborted') throw error;
    return { outcome: 'failed', answer: answer(null, error.message), retryAfterMs: null, hasProgress };
  }
}

/**
 * An attempt can take minutes, in which users pause, change and remove webhooks.
 * @throws TicketError if it is another by now, or paused
 */
async function assertUnchanged(db: Kysely<Schema>, { id, version }: Webhook): Promise<void> {
  const unchanged = await db
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', id)
    .where('version', '=', version)
    .where('enabled', '=', true)
    .executeTakeFirst();
  if (unchanged) return;
  const message = 'the webhook was changed, paused or removed: the attempt ended before the next ticket';
  throw new TicketError(message, { status: null, isOwnLimit: true });
}

interface ChangedSubjects {
  /** By id: the time of the first change, epoch ms. */
  findings: Map<string, number>;
  /** Assets whose score has changed, as `findings`: the decisions on their findings may have changed too. */
  assets: Map<string, number>;
}

function changedSubjects(changes: readonly PlacedChange[]): ChangedSubjects {
  const changed: ChangedSubjects = { findings: new Map(), assets: new Map() };
  for (const { topic, attributes } of changes) {
    const [id, at] = [attributes.subject!, Date.parse(attributes.time!)];
    const times = topic === 'findings' ? changed.findings : changed.assets;
    times.set(id, Math.min(times.get(id) ?? at, at));
  }
  return changed;
}

/** The findings of assets that need a ticket, some at once. */
async function* unticketed(
  db: Kysely<Schema>,
  webhook: Webhook,
  assetIds: readonly string[],
): AsyncGenerator<string[]> {
  if (assetIds.length === 0) return;
  for (let after: string = NIL; ; ) {
    const ids = await findingsWithoutTicket(db, webhook, assetIds, after, FINDINGS_AT_ONCE);
    if (ids.length > 0) yield ids;
    if (ids.length < FINDINGS_AT_ONCE) return;
    after = ids.at(-1)!;
  }
}

function wordsOf(done: readonly Kept[]): string {
  const words = (['opened', 'reopened', 'closed'] as const).flatMap((what) => {
    const count = done.filter((one) => one === what).length;
    return count === 0 ? [] : [`${count} ${what}`];
  });
  return words.length === 0 ? 'no ticket had to change' : `tickets: ${words.join(', ')}`;
}
