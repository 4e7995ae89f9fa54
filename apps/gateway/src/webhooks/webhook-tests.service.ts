import { randomUUID } from 'node:crypto';
import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock } from '#libs/config';
import { isoTime } from '#libs/domain';
import type { Egress } from '#libs/egress';
import type { RowLimits } from '#libs/tables';
import { send, WebhookSecretError, WebhookSecrets } from '#libs/webhooks';
import { Slots } from '../http/slots.ts';
import { EGRESS } from '../tokens.ts';
import type { WebhookTestDto } from './webhook.dto.ts';
import { messageIdOf } from './webhook-view.ts';
import { WebhooksService } from './webhooks.service.ts';

/** Somebody waits for the answer. */
const ANSWER_MS_MAX = 10_000;

/** Sends an event without a change, now and once, also if the webhook is paused. */
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

  /** @throws NotFoundException, RetryLaterException, BadRequestException if its secret does not open */
  async test(id: string, visible: RowLimits): Promise<WebhookTestDto> {
    const { url } = await this.webhooks.find(id, visible);
    return this.slots.run(() => this.send(id, url));
  }

  private async send(id: string, url: string): Promise<WebhookTestDto> {
    try {
      const [eventId, at] = [randomUUID(), this.now()];
      const messageId = messageIdOf(eventId);
      const secrets = await this.secrets.open(id, at);
      const { outcome, answer } = await send(this.egress, {
        url,
        id: messageId,
        at,
        body: testBody(id, eventId, at),
        secrets,
        timeoutMs: ANSWER_MS_MAX,
      });
      return { ok: outcome === 'taken', messageId, ...answer };
    } catch (error) {
      throw error instanceof WebhookSecretError ? new BadRequestException(error.message) : error;
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
