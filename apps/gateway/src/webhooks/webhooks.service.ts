import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  ConflictException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import type { Kysely, Updateable } from 'kysely';
import { type ChangeCursor, type ChangeVector, STREAM_TOPICS, type StreamTopic } from '#libs/changes';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { DAY_MS, type WebhookChanged } from '#libs/domain';
import { EventSealer } from '#libs/sealing';
import type { RowLimits } from '#libs/tables';
import {
  isTicketKind,
  keptPlace,
  type Pause,
  placeOf,
  type TicketOptions,
  WEBHOOKS_MAX,
  type WebhookKind,
  WebhookSecrets,
  withoutAddresses,
} from '#libs/webhooks';
import { ActsService } from '../acts/acts.service.ts';
import { webhookChanged } from '../acts/webhook-changed.ts';
import type { LimitedCaller, ScopedCaller } from '../auth/caller.ts';
import { grantedRows } from '../auth/granted-rows.ts';
import { CallerCursors } from '../changes/caller-cursors.ts';
import { ChangeHeads } from '../changes/change-heads.ts';
import { assertSeenVersion } from '../http/seen-version.ts';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import {
  addressOf,
  assertChange,
  assertComplete,
  assertFields,
  assertMaySend,
  changedSecret,
  rotatedOf,
  topicsOf,
} from './kind-rules.ts';
import { type PlaceToRead, readPlace } from './read-place.ts';
import { shownUrl } from './receiver-url.ts';
import type {
  AddWebhookDto,
  ChangeWebhookDto,
  DeliveryDto,
  ReplayWebhookDto,
  RotateWebhookDto,
  WebhookDto,
  WebhookWithSecretDto,
} from './webhook.dto.ts';
import { deliveryView, type SeenPositions, webhookView } from './webhook-view.ts';
import { type WebhookRow, WebhooksRepository } from './webhooks.repository.ts';

/** How long the secret before signs too. */
const OVERLAP_MS = DAY_MS;

/** The effect of an act on the row, which no other session changes concurrently. */
interface Change {
  columns?: Updateable<Schema['webhooks']>;
  /** Pending deliveries are superseded. */
  supersedes?: boolean;
  /** Pending deliveries are tried at once. */
  triesAnew?: boolean;
  /** For the audit trail. */
  details: object;
}

/**
 * Webhooks as admins configure them. As with credentials, the act is on the log before the database commits it, for the
 * audit trail only; the rows are outside the log, so that a log that is folded elsewhere sends to no receiver.
 */
@Injectable()
export class WebhooksService {
  constructor(
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
    @Inject(CLOCK) private readonly now: Clock,
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly heads: ChangeHeads,
    private readonly cursors: CallerCursors,
    private readonly acts: ActsService,
    private readonly sealer: EventSealer,
  ) {}

  async list({ limit, cursor }: PageQuery, visible: RowLimits): Promise<Page<WebhookDto>> {
    const after = decodeKeys(cursor, 'time', 'uuid');
    const rows = await this.webhooks.list(visible, after, limit + 1);
    const { vector } = await this.heads.read();
    return pageFrom(
      rows,
      limit,
      ({ createdAt, id }) => [createdAt, id],
      (row) => this.viewOf(row, vector, visible),
    );
  }

  /** @throws NotFoundException */
  async get(id: string, visible: RowLimits): Promise<WebhookDto> {
    const row = await this.find(id, visible);
    return this.viewOf(row, (await this.heads.read()).vector, visible);
  }

  /** @throws NotFoundException */
  async find(id: string, visible: RowLimits): Promise<WebhookRow> {
    return found(await this.webhooks.find(id, visible), id);
  }

  /**
   * It keeps its limits for life, whatever happens to the caller.
   * @throws BadRequestException if `from` is not a position, ForbiddenException if the caller sees fewer rows or may not
   * read what the webhook sends, ConflictException if there are 50
   */
  async add(given: AddWebhookDto, caller: ScopedCaller): Promise<WebhookWithSecretDto> {
    const { kind = 'cloudevents', filter = {}, options = {}, enabled = true, from } = given;
    const { departments, locations } = given;
    assertFields(kind, given);
    assertComplete(kind, options);
    const { url, secret } = addressOf(kind, given);
    assertMaySend(kind, caller.scopes);
    const rows = grantedRows({ departments, locations }, caller.rows);
    const topics = isTicketKind(kind) ? topicsOf(filter) : inOrder(given.topics ?? STREAM_TOPICS);
    const [id, now] = [randomUUID(), this.now()];
    const { vector: heads } = await this.heads.read();
    const place = from === undefined ? {} : await this.placeOf({ from, topics, heads }, caller);
    const position = keptPlace(place, topics, heads);
    const paused = enabled ? null : pausedBy(await this.sealer.personal(caller.user), now);
    const times = { createdAt: now, updatedAt: now };
    const row = { id, kind, url, topics, filter, options, enabled, paused, position, ...rows, ...times };
    await this.db.transaction().execute(async (trx) => {
      const webhooks = new WebhooksRepository(trx);
      await webhooks.lockCount();
      if ((await webhooks.count()) >= WEBHOOKS_MAX) {
        throw new ConflictException(
          `the limit of ${WEBHOOKS_MAX} webhooks is reached: remove a webhook first`,
        );
      }
      await webhooks.add({ ...row, secret: this.secrets.seal(id, secret) });
      const details = auditDetailsOf({
        ...(isTicketKind(kind) && { kind, options }),
        ...{ url, topics, filter, enabled, ...limitsOf(rows), ...(from && { from }) },
      });
      await this.acts.append([webhookChanged('added', id, details)], caller);
    });
    const view = this.viewOf({ ...row, version: 1, previousUntil: null }, heads, caller.rows);
    return { ...view, secret: shownSecret(kind, secret) };
  }

  /**
   * @throws NotFoundException, BadRequestException, ForbiddenException as `add`; ConflictException if another user has
   * changed it since `version`
   */
  async change(
    id: string,
    { version, ...changes }: ChangeWebhookDto,
    caller: ScopedCaller,
  ): Promise<WebhookDto> {
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new BadRequestException('the body must contain url, topics, filter, options, enabled or secret');
    }
    const { vector: heads } = await this.heads.read();
    return this.act('changed', id, caller, (row, now, by) => {
      assertMaySend(row.kind, caller.scopes);
      assertSeenVersion('webhook', row.version, version);
      assertChange(row, changes);
      const { secret: given, ...shown } = changes;
      const { url, filter, options, enabled } = shown;
      const secret = changedSecret(row, changes);
      const topics = isTicketKind(row.kind)
        ? filter && topicsOf(filter)
        : changes.topics && inOrder(changes.topics);
      return {
        columns: {
          ...(url !== undefined && { url }),
          ...(topics && { topics, position: keptPlace(placeOf(row.position), topics, heads) }),
          ...(filter && { filter: JSON.stringify(filter) }),
          ...(options && { options: JSON.stringify(options) }),
          ...(secret !== undefined && { secret: this.secrets.seal(id, secret) }),
          ...(enabled !== undefined && enabled !== row.enabled && switched(enabled, by, now)),
        },
        supersedes: topics !== undefined || filter !== undefined,
        triesAnew: url !== undefined || options !== undefined || secret !== undefined || enabled === true,
        details: auditDetailsOf({
          ...shown,
          ...(topics && { topics }),
          ...(given !== undefined && { secrets: ['secret'] }),
        }),
      };
    });
  }

  /** Returns the deleted one. @throws NotFoundException */
  async remove(id: string, caller: LimitedCaller): Promise<WebhookDto> {
    const { vector } = await this.heads.read();
    return this.db.transaction().execute(async (trx) => {
      const webhooks = new WebhooksRepository(trx);
      const row = found(await webhooks.lock(id, caller.rows), id);
      await webhooks.remove(id);
      await this.acts.append([webhookChanged('removed', id, auditDetailsOf({ url: row.url }))], caller);
      return this.viewOf(row, vector, caller.rows);
    });
  }

  /**
   * Another secret; secrets that sign do so for another day.
   * @throws NotFoundException, BadRequestException, ForbiddenException as `add`: the secret of a chat is its address
   */
  async rotate(id: string, given: RotateWebhookDto, caller: ScopedCaller): Promise<WebhookWithSecretDto> {
    const shown = await this.db.transaction().execute(async (trx) => {
      const webhooks = new WebhooksRepository(trx);
      const row = found(await webhooks.lock(id, caller.rows), id);
      assertMaySend(row.kind, caller.scopes);
      const { url = row.url, secret } = rotatedOf(row.kind, given.secret);
      const [sealed, now] = [this.secrets.seal(id, secret), this.now()];
      if (isTicketKind(row.kind)) {
        await webhooks.replaceSecret(id, sealed, url, now);
        await webhooks.tryAnew(id);
      } else {
        const previous = this.secrets.replaced(id, await webhooks.secretsOf(id), now);
        await webhooks.rotate(id, sealed, previous, now + OVERLAP_MS, now);
      }
      await this.acts.append([webhookChanged('rotated', id, {})], caller);
      return shownSecret(row.kind, secret);
    });
    return { ...(await this.get(id, caller.rows)), secret: shown };
  }

  /** If it is paused already it is unchanged. @throws NotFoundException */
  async pause(id: string, caller: LimitedCaller): Promise<WebhookDto> {
    return this.act('paused', id, caller, (row, now, by) =>
      row.enabled ? { columns: switched(false, by, now), details: {} } : null,
    );
  }

  /** Pending deliveries are tried at once. @throws NotFoundException, ForbiddenException as `add` */
  async resume(id: string, caller: ScopedCaller): Promise<WebhookDto> {
    return this.act('resumed', id, caller, (row, now, by) => {
      assertMaySend(row.kind, caller.scopes);
      return row.enabled ? null : { columns: switched(true, by, now), triesAnew: true, details: {} };
    });
  }

  /** Everything after a position is delivered again, or skipped, which ends a pause for a gap. @throws NotFoundException, BadRequestException; ForbiddenException as `add` */
  async replay(id: string, { from }: ReplayWebhookDto, caller: ScopedCaller): Promise<WebhookDto> {
    const { kind, topics } = await this.find(id, caller.rows);
    assertMaySend(kind, caller.scopes);
    const { vector: heads } = await this.heads.read();
    const place = await this.placeOf({ from, topics, heads }, caller);
    return this.act('replayed', id, caller, (row, now, by) => ({
      columns: {
        position: keptPlace({ ...placeOf(row.position), ...place }, row.topics, heads),
        ...(row.paused?.reason === 'gap' && switched(true, by, now)),
      },
      supersedes: true,
      details: { from },
    }));
  }

  /** Newest first, of a week. @throws NotFoundException */
  async deliveries(id: string, { limit, cursor }: PageQuery, visible: RowLimits): Promise<Page<DeliveryDto>> {
    await this.find(id, visible);
    const after = decodeKeys(cursor, 'time', 'uuid');
    const rows = await this.webhooks.deliveries(id, after, limit + 1);
    return pageFrom(
      rows,
      limit,
      (row) => [row.createdAt, row.id],
      (row) => deliveryView(row, this.positionsFor(visible)),
    );
  }

  private viewOf(row: WebhookRow, heads: ChangeVector, visible: RowLimits): WebhookDto {
    return webhookView(row, heads, this.now(), this.positionsFor(visible));
  }

  private positionsFor(rows: RowLimits): SeenPositions {
    return { rows, textOf: (...seen) => this.cursors.textOf(...seen) };
  }

  private placeOf(place: Omit<PlaceToRead, 'read'>, { rows }: LimitedCaller): Promise<ChangeCursor> {
    return readPlace(this.db, { ...place, read: (text) => this.cursors.read(text, rows) });
  }

  /** @param decide null: there is nothing to be done; `by` is the caller as a table may have it */
  private async act(
    name: WebhookChanged['act'],
    id: string,
    caller: LimitedCaller,
    decide: (row: WebhookRow, now: number, by: string) => Change | null,
  ): Promise<WebhookDto> {
    const by = await this.sealer.personal(caller.user);
    await this.db.transaction().execute(async (trx) => {
      const webhooks = new WebhooksRepository(trx);
      const now = this.now();
      const change = decide(found(await webhooks.lock(id, caller.rows), id), now, by);
      if (!change) return;
      await webhooks.change(id, change.columns ?? {}, now);
      if (change.supersedes) await webhooks.supersede(id, now);
      if (change.triesAnew) await webhooks.tryAnew(id);
      await this.acts.append([webhookChanged(name, id, change.details)], caller);
    });
    return this.get(id, caller.rows);
  }
}

function found(row: WebhookRow | undefined, id: string): WebhookRow {
  if (!row) throw new NotFoundException(`no webhook has the id ${id}`);
  return row;
}

/** A secret that the service has made; a caller knows the secret that it sent. */
const shownSecret = (kind: WebhookKind, secret: string): string | null =>
  kind === 'cloudevents' ? secret : null;

/** For the audit trail. */
const limitsOf = ({ departments, locations }: RowLimits) => ({
  ...(departments && { departments }),
  ...(locations && { locations }),
});

const inOrder = (topics: readonly StreamTopic[]): StreamTopic[] =>
  STREAM_TOPICS.filter((topic) => topics.includes(topic));

/** @param user as a table may have it */
const pausedBy = (user: string, at: number): Pause => ({
  reason: 'user',
  message: `paused by ${user}`,
  at,
});

const switched = (enabled: boolean, by: string, now: number) => ({
  enabled,
  paused: enabled ? null : JSON.stringify(pausedBy(by, now)),
});

/** The log shows no path and no query of addresses, which contain tokens there, and no e-mail addresses. */
const auditDetailsOf = <T extends { url?: string; options?: TicketOptions }>({
  url,
  options,
  ...others
}: T): object => ({
  ...(url !== undefined && { url: shownUrl(url) }),
  ...(options && { options: withoutAddresses(options) }),
  ...others,
});
