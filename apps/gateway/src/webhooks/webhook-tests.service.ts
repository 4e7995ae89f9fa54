import { randomUUID } from 'node:crypto';
import { BadRequestException, ConflictException, Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { isoTime } from '#libs/domain';
import { type Egress, EgressError } from '#libs/egress';
import type { RowLimits } from '#libs/tables';
import {
  isTicketKind,
  messageIdOf,
  openTicketSystem,
  send,
  TicketError,
  type TicketSystem,
  WebhookChangedError,
  WebhookSecretError,
  WebhookSecrets,
} from '#libs/webhooks';
import { Slots } from '../http/slots.ts';
import { EGRESS } from '../tokens.ts';
import type { WebhookTestDto } from './webhook.dto.ts';
import type { WebhookRow } from './webhooks.repository.ts';
import { WebhooksService } from './webhooks.service.ts';

/** Somebody waits for the answer. */
const ANSWER_MS_MAX = 10_000;

/** Sends an event without a change, or tries the system of tickets: now and once, also if the webhook is paused. */
@Injectable()
export class WebhookTests {
  /** Each waits for another server. */
  private readonly slots = new Slots({ max: 4, retrySeconds: 10, reason: 'webhook_tests' });

  constructor(
    @Inject(EGRESS) private readonly egress: Egress,
    @Inject(CLOCK) private readonly now: Clock,
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecrets,
  ) {}

  /**
   * @throws NotFoundException, RetryLaterException, BadRequestException if its secret does not open, ConflictException if
   * another user changes it at the same time
   */
  async test(id: string, visible: RowLimits): Promise<WebhookTestDto> {
    const webhook = await this.webhooks.find(id, visible);
    return this.slots.run(async () => {
      try {
        const secrets = await this.secrets.open(webhook, this.now());
        return await this.tried(webhook, secrets);
      } catch (error) {
        if (error instanceof WebhookChangedError) throw new ConflictException(error.message);
        throw error instanceof WebhookSecretError ? new BadRequestException(error.message) : error;
      }
    });
  }

  private tried(
    { id, url, kind, options }: WebhookRow,
    secrets: [string, ...string[]],
  ): Promise<WebhookTestDto> {
    if (!isTicketKind(kind)) return this.send(id, url, secrets);
    const connection = {
      ...{ egress: this.egress, url, secret: secrets[0], clock: this.now },
      ...{ timeoutMs: ANSWER_MS_MAX, signal: undefined },
    };
    return this.tryTickets(openTicketSystem(kind, connection, options));
  }

  private async send(id: string, url: string, secrets: string[]): Promise<WebhookTestDto> {
    const [eventId, at] = [randomUUID(), this.now()];
    const messageId = messageIdOf(eventId);
    const { outcome, answer } = await send(this.egress, {
      url,
      id: messageId,
      at,
      body: testBody(id, eventId, at),
      secrets,
      timeoutMs: ANSWER_MS_MAX,
    });
    return { ok: outcome === 'taken', messageId, ...answer };
  }

  private async tryTickets(system: TicketSystem): Promise<WebhookTestDto> {
    const begun = performance.now();
    const answer = (ok: boolean, message: string, status: number | null = null): WebhookTestDto => ({
      ...{ ok, messageId: null, status, message },
      ms: Math.round(performance.now() - begun),
    });
    try {
      return answer(true, await system.test());
    } catch (error) {
      if (error instanceof TicketError) return answer(false, error.message, error.details.status);
      if (error instanceof EgressError) return answer(false, error.message);
      throw error;
    }
  }
}

const testBody = (webhookId: string, eventId: string, at: number): Buffer =>
  Buffer.from(
    JSON.stringify([
      {
        specversion: '1.0',
        id: eventId,
        type: 'posture.webhook.test',
        source: '/api/v3/webhooks',
        time: isoTime(at),
        subject: webhookId,
        datacontenttype: 'application/json',
        data: { webhookId },
      },
    ]),
  );
