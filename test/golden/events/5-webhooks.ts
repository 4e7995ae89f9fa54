import { encodeIntake } from '#libs/contracts';
import { ORGANIZATION_KEY, type WebhookChanged } from '#libs/domain';
import type { LogRecord } from '#libs/event-log';
import { DAY_MS, event, T0 } from '../../support/scenario.ts';

/** Acts of admins on webhooks: schema 21. */
export function webhookActs(): LogRecord[][] {
  return [acts().map(recordOf)];
}

const recordOf = (payload: WebhookChanged, i: number): LogRecord => {
  const id = `d0000000-0000-5000-8000-${String(i + 1).padStart(12, '0')}`;
  const cause = { kind: 'user', user: 'ana', requestId: `request-${i}` } as const;
  const one = event(payload, T0 + i * (DAY_MS / 24), cause, { id, entityKey: ORGANIZATION_KEY });
  return { key: ORGANIZATION_KEY, value: encodeIntake(one) };
};

function acts(): WebhookChanged[] {
  const webhookId = 'a0000000-0000-4000-8000-000000000001';
  const act = (name: WebhookChanged['act'], details: Record<string, string> = {}): WebhookChanged => ({
    type: 'WebhookChanged',
    act: name,
    webhookId,
    details,
  });
  return [
    act('added', {
      url: '"https://receiver.example"',
      topics: '["findings","scores"]',
      filter: '{"severityMin":7}',
      enabled: 'true',
    }),
    act('changed', { topics: '["findings"]' }),
    act('rotated'),
    act('paused'),
    act('replayed', { from: '"f:0.0"' }),
    act('resumed'),
    act('changed', { url: '{' }),
    act('removed'),
  ];
}
