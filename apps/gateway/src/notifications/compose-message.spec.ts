import { describe, expect, it } from '@jest/globals';
import { composeMessage, LINES_MAX, sentenceOf, type ToldNotification } from './compose-message.ts';
import type { NotifiedSubject } from './notification.ts';

const finding = { id: 'f1', name: 'Weak\ncipher', assetName: 'web01' };
const told = (given: Partial<ToldNotification> = {}): ToldNotification => ({
  ...{ kind: 'mentioned', by: 'bo', findings: 1, finding, subject: null },
  ...given,
});

describe('messages (R-NOTE-7)', () => {
  it.each<[Partial<ToldNotification>, string]>([
    [{}, 'bo mentioned you in a comment on Weak cipher on web01.'],
    [{ by: null }, 'A user mentioned you in a comment on Weak cipher on web01.'],
    [
      { kind: 'assigned', findings: 7 },
      'bo assigned 7 findings, such as Weak cipher on web01 to you or a team that you follow.',
    ],
    [{ kind: 'commented', finding: null }, 'bo commented on a finding, for which you are responsible.'],
    [{ kind: 'overdue', by: null }, 'Weak cipher on web01 is overdue.'],
    [
      { kind: 'dueSoon', by: null, findings: 2 },
      '2 findings, such as Weak cipher on web01 are due within 7 days.',
    ],
    [{ kind: 'acceptanceEnding', by: null }, 'The acceptance of Weak cipher on web01 ends within 7 days.'],
  ])('%j', (given, sentence) => {
    expect(sentenceOf(told(given))).toBe(sentence);
  });

  it.each<[ToldNotification['kind'], NotifiedSubject['type'], string | null, string, string]>([
    ['syncFailed', 'integration', 'no\nanswer', 'The sync of EDR fails: no answer', 'app/integrations/s1'],
    ['syncFailed', 'integration', null, 'The sync of EDR fails.', 'app/integrations/s1'],
    ['syncRecovered', 'integration', null, 'The sync of EDR works again.', 'app/integrations/s1'],
    [
      ...(['webhookStopped', 'webhook', 'gone', 'The webhook to EDR was stopped: gone'] as const),
      'app/settings/webhooks?webhook=s1',
    ],
    [
      ...(['reportFailed', 'reportSchedule', 'full', 'The scheduled report EDR was not sent: full'] as const),
      'app/settings/reports?schedule=s1',
    ],
    [
      ...(['scheduleStopped', 'reportSchedule', null, 'The report schedule EDR was stopped.'] as const),
      'app/settings/reports?schedule=s1',
    ],
  ])('of %s of an %s lead to it (R-NOTE-9)', (kind, type, reason, sentence, link) => {
    const subject = { type, id: 's1', name: 'EDR', reason };
    const one = told({ kind, by: null, findings: 0, finding: null, subject });
    expect(composeMessage([one])).toEqual({ title: sentence, lines: [sentence], more: 0, link });
  });

  it.each([
    ['https://siem.example/in?token=t', 'https://siem.example'],
    ['smtp://mail.example:587', 'smtp://mail.example:587'],
    ['#risk: https://x.example', '#risk: https://x.example'],
  ])('name the webhook to %s without path and query', (name, shown) => {
    const subject = { type: 'webhook', id: 's1', name, reason: null } as const;
    const one = told({ kind: 'webhookStopped', by: null, findings: 0, finding: null, subject });
    expect(sentenceOf(one)).toBe(`The webhook to ${shown} was stopped.`);
  });

  it('name the finding in the title and lead to it if it is the only one', () => {
    expect(composeMessage([told()])).toEqual({
      title: 'bo mentioned you in a comment on Weak cipher on web01.',
      lines: ['bo mentioned you in a comment on Weak cipher on web01.'],
      more: 0,
      link: 'app/findings/f1',
    });
    expect(composeMessage([told({ findings: 2 })]).link).toBe('app/notifications');
    const long = composeMessage([told({ finding: { ...finding, name: 'x'.repeat(500) } })]);
    expect(long.title).toHaveLength(200);
  });

  it('have no characters that turn the direction of text or have no appearance, and no half ones', () => {
    const name = `\u202Egnp.exe\u0000 ${'x'.repeat(190)}😀${'y'.repeat(20)}`;
    const { title, lines } = composeMessage([told({ kind: 'overdue', finding: { ...finding, name } })]);
    expect(lines).toEqual([`gnp.exe ${'x'.repeat(190)}😀${'y'.repeat(20)} on web01 is overdue.`]);
    expect(title).toBe(`gnp.exe ${'x'.repeat(190)}😀…`);
  });

  it('are bounded', () => {
    const { title, lines, more, link } = composeMessage(Array.from({ length: 100 }, () => told()));
    expect([title, link]).toEqual(['100 notifications', 'app/notifications']);
    expect([lines.length, more]).toEqual([LINES_MAX, 70]);
    const long = told({ finding: { ...finding, name: 'x'.repeat(50_000) } });
    expect(sentenceOf(long)).toHaveLength(1_000);
  });
});
