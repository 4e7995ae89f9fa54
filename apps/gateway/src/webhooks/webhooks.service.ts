import { randomUUID } from 'node:crypto';
import {
  BadRequestException,
  ConflictException,
  Inject,
  Injectable,
  NotFoundException,
} from '@nestjs/common';
import type { Kysely, Updateable } from 'kysely';
import { STREAM_TOPICS, type StreamTopic } from '#libs/changes';
import { CLOCK, type Clock } from '#libs/config';
import { DATABASE, type Schema } from '#libs/database';
import { ORGANIZATION_KEY, type WebhookChanged } from '#libs/domain';
import { keptPlace, newSecret, type Pause, placeOf, WEBHOOKS_MAX, WebhookSecrets } from '#libs/webhooks';
import { ActsService } from '../acts/acts.service.ts';
import type { Caller } from '../auth/caller.ts';
import { ChangeHeads } from '../changes/change-heads.ts';
import { decodeKeys, type Page, type PageQuery, pageFrom } from '../paging/page.ts';
import { readPlace } from './read-place.ts';
import type {
  AddWebhookDto,
  ChangeWebhookDto,
  DeliveryDto,
  ReplayWebhookDto,
  RotateWebhookDto,
  WebhookDto,
  WebhookWithSecretDto,
} from './webhook.dto.ts';
import { deliveryView, webhookView } from './webhook-view.ts';
import { type WebhookRow, WebhooksRepository } from './webhooks.repository.ts';

const DAY_MS = 24 * 60 * 60_000;
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
    private readonly acts: ActsService,
  ) {}

  async list({ limit, cursor }: PageQuery): Promise<Page<WebhookDto>> {
    const after = decodeKeys(cursor, 'time', 'uuid');
    const rows = await this.webhooks.list(after, limit + 1);
    const { vector } = await this.heads.read();
    return pageFrom(
      rows,
      limit,
      ({ createdAt, id }) => [createdAt, id],
      (row) => webhookView(row, vector, this.now()),
    );
  }

  /** @throws NotFoundException */
  async get(id: string): Promise<WebhookDto> {
    const row = await this.find(id);
    return webhookView(row, (await this.heads.read()).vector, this.now());
  }

  /** @throws NotFoundException */
  async find(id: string): Promise<WebhookRow> {
    return found(await this.webhooks.find(id), id);
  }

  /** @throws BadRequestException if `from` is none, ConflictException if there are 50 */
  async add(given: AddWebhookDto, caller: Caller): Promise<WebhookWithSecretDto> {
    if ((await this.webhooks.count()) >= WEBHOOKS_MAX) {
      throw new ConflictException(`the limit of ${WEBHOOKS_MAX} webhooks is reached: remove a webhook first`);
    }
    const { url, filter = {}, enabled = true, from, secret = newSecret() } = given;
    const topics = inOrder(given.topics ?? STREAM_TOPICS);
    const [id, now] = [randomUUID(), this.now()];
    const { vector: heads } = await this.heads.read();
    const place = from === undefined ? {} : await readPlace(this.db, { from, topics, heads });
    const position = keptPlace(place, topics, heads);
    const paused = enabled ? null : pausedBy(caller, now);
    const row = { id, url, topics, filter, enabled, paused, position, createdAt: now, updatedAt: now };
    await this.db.transaction().execute(async (trx) => {
      await new WebhooksRepository(trx).add({ ...row, secret: this.secrets.seal(id, secret) });
      await this.record(
        'added',
        id,
        auditDetailsOf({ url, topics, filter, enabled, ...(from && { from }) }),
        caller,
      );
    });
    return { ...webhookView({ ...row, version: 1, previousUntil: null }, heads, now), secret };
  }

  /** @throws NotFoundException, BadRequestException, ConflictException if another user has changed it since `version` */
  async change(id: string, { version, ...changes }: ChangeWebhookDto, caller: Caller): Promise<WebhookDto> {
    if (Object.values(changes).every((value) => value === undefined)) {
      throw new BadRequestException('the body must contain url, topics, filter or enabled');
    }
    const { vector: heads } = await this.heads.read();
    return this.act('changed', id, caller, (row, now) => {
      assertSeen(row, version);
      const { url, filter, enabled } = changes;
      const topics = changes.topics && inOrder(changes.topics);
      return {
        columns: {
          ...(url !== undefined && { url }),
          ...(topics && { topics, position: keptPlace(placeOf(row.position), topics, heads) }),
          ...(filter && { filter: JSON.stringify(filter) }),
          ...(enabled !== undefined && enabled !== row.enabled && switched(enabled, caller, now)),
        },
        supersedes: topics !== undefined || filter !== undefined,
        triesAnew: url !== undefined || enabled === true,
        details: auditDetailsOf({ ...changes, ...(topics && { topics }) }),
      };
    });
  }

  /** Returns the deleted one. @throws NotFoundException */
  async remove(id: string, caller: Caller): Promise<WebhookDto> {
    const { vector } = await this.heads.read();
    return this.db.transaction().execute(async (trx) => {
      const webhooks = new WebhooksRepository(trx);
      const row = found(await webhooks.lock(id), id);
      await webhooks.remove(id);
      await this.record('removed', id, auditDetailsOf({ url: row.url }), caller);
      return webhookView(row, vector, this.now());
    });
  }

  /** Another secret; the one before signs too for a day. @throws NotFoundException */
  async rotate(
    id: string,
    { secret = newSecret() }: RotateWebhookDto,
    caller: Caller,
  ): Promise<WebhookWithSecretDto> {
    await this.db.transaction().execute(async (trx) => {
      const webhooks = new WebhooksRepository(trx);
      found(await webhooks.lock(id), id);
      const now = this.now();
      await webhooks.rotate(id, this.secrets.seal(id, secret), now + OVERLAP_MS, now);
      await this.record('rotated', id, {}, caller);
    });
    return { ...(await this.get(id)), secret };
  }

  /** If it is paused already it is unchanged. @throws NotFoundException */
  async pause(id: string, caller: Caller): Promise<WebhookDto> {
    return this.act('paused', id, caller, (row, now) =>
      row.enabled ? { columns: switched(false, caller, now), details: {} } : null,
    );
  }

  /** Pending deliveries are tried at once. @throws NotFoundException */
  async resume(id: string, caller: Caller): Promise<WebhookDto> {
    return this.act('resumed', id, caller, (row, now) =>
      row.enabled ? null : { columns: switched(true, caller, now), triesAnew: true, details: {} },
    );
  }

  /** Everything after a position is delivered again, or skipped. @throws NotFoundException, BadRequestException */
  async replay(id: string, { from }: ReplayWebhookDto, caller: Caller): Promise<WebhookDto> {
    const { topics } = await this.find(id);
    const { vector: heads } = await this.heads.read();
    const place = await readPlace(this.db, { from, topics, heads });
    return this.act('replayed', id, caller, (row) => ({
      columns: { position: keptPlace({ ...placeOf(row.position), ...place }, row.topics, heads) },
      supersedes: true,
      details: { from },
    }));
  }

  /** Newest first, of a week. @throws NotFoundException */
  async deliveries(id: string, { limit, cursor }: PageQuery): Promise<Page<DeliveryDto>> {
    await this.find(id);
    const after = decodeKeys(cursor, 'time', 'uuid');
    const rows = await this.webhooks.deliveries(id, after, limit + 1);
    return pageFrom(rows, limit, (row) => [row.createdAt, row.id], deliveryView);
  }

  /** @param decide null: there is nothing to be done */
  private async act(
    name: WebhookChanged['act'],
    id: string,
    caller: Caller,
    decide: (row: WebhookRow, now: number) => Change | null,
  ): Promise<WebhookDto> {
    await this.db.transaction().execute(async (trx) => {
      const webhooks = new WebhooksRepository(trx);
      const now = this.now();
      const change = decide(found(await webhooks.lock(id), id), now);
      if (!change) return;
      await webhooks.change(id, change.columns ?? {}, now);
      if (change.supersedes) await webhooks.supersede(id, now);
      if (change.triesAnew) await webhooks.tryAnew(id);
      await this.record(name, id, change.details, caller);
    });
    return this.get(id);
  }

  private async record(
    act: WebhookChanged['act'],
    webhookId: string,
    details: object,
    caller: Caller,
  ): Promise<void> {
    const payload: WebhookChanged = {
      type: 'WebhookChanged',
      act,
      webhookId,
      details: Object.fromEntries(
        Object.entries(details).flatMap(([field, value]) =>
          value === undefined ? [] : [[field, JSON.stringify(value)]],
        ),
      ),
    };
    await this.acts.append([{ entityKey: ORGANIZATION_KEY, payload }], caller);
  }
}

function found(row: WebhookRow | undefined, id: string): WebhookRow {
  if (!row) throw new NotFoundException(`no webhook has the id ${id}`);
  return row;
}

function assertSeen(row: WebhookRow, version: number | undefined): void {
  if (version === undefined || version === row.version) return;
  throw new ConflictException(
    'the webhook has changed since `version`: read it again and repeat the request',
  );
}

const inOrder = (topics: readonly StreamTopic[]): StreamTopic[] =>
  STREAM_TOPICS.filter((topic) => topics.includes(topic));

const pausedBy = ({ user }: Caller, at: number): Pause => ({
  reason: 'user',
  message: `paused by ${user}`,
  at,
});

const switched = (enabled: boolean, caller: Caller, now: number) => ({
  enabled,
  paused: enabled ? null : JSON.stringify(pausedBy(caller, now)),
});

/** The log shows no path and no query: receivers' addresses hold tokens there. */
const auditDetailsOf = <T extends { url?: string }>({ url, ...told }: T): object => ({
  ...(url !== undefined && { url: new URL(url).origin }),
  ...told,
});
