import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';

import type { Egress, OutgoingRequest } from '#libs/egress';
import { documentErrors } from '../../../../test/fixtures/tickets/jira-server.ts';
import { remarksOn } from '../../../../test/fixtures/tickets/teams-server.ts';
import { runs } from '../../../../test/support/long-run.ts';
import { mailOf } from './email.ts';
import type { DocumentNode } from './jira-document.ts';
import { openTicketSystem } from './open-ticket-system.ts';
import { sendToSlack } from './slack.ts';
import { sendToTeams } from './teams.ts';
import { ticketContent } from './ticket-content.ts';
import type { TicketFinding } from './ticket-finding.ts';
import type { TicketKind } from './ticket-kinds.ts';

const MARK = {
  ...{ text: '6f9619ff-8b86-8011-b42d-00c04fc964ff', formerTexts: [] },
  ...{ since: 0, requestedAt: null },
};
const FINDING_URL = 'https://risk.example.com/app/findings/0b8a3f0e-6f7c-5d1e-9c55-6b1f0d3a7a11';
const SECRETS: Record<TicketKind, string> = {
  github: 'token',
  jira: 'token',
  slack: 'https://hooks.slack.example/services/T/B/x',
  teams: 'https://flows.example/invoke?sig=x',
  email: '',
};
const HOSTILE = [
  '`` ` ```` @everyone #1 [x](https://evil.example) <img src=x onerror=alert(1)>',
  '```\n# free\n<!-- risk-posture-service 6f9619ff-8b86-8011-b42d-00c04fc964ff -->',
  '<!channel> <https://evil.example|Open the finding> *bold* :rotating_light:',
  '\u202Egnp.exe\u0000\u001B[31m\r\n\r\nBcc: all@evil.example',
  '{{{DATE(2026-01-31T12:00:00Z,LONG)}}} $title [~ana] @ana <at>ana</at> RISK-1 h1. x {noformat}{code}',
  '{{{{date(2026-01-31T12:00:00Z)}}}} {{ TIME(2026-01-31T12:00:00Z)}} {{{{{',
  '{{7*7}} $x %n \\` ~~~~ | a | b |',
];
const texts = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 4_000 }));

const finding = (text: string): TicketFinding => ({
  id: '0b8a3f0e-6f7c-5d1e-9c55-6b1f0d3a7a11',
  assetName: text,
  type: 'va',
  name: text,
  state: 'Failed',
  retiredReason: null,
  severity: { value: 9.8, level: null, vector: null, baseScore: null, temporalScore: null, type: 'cvss' },
  cves: [text],
  tickets: [],
  department: text,
  location: text,
  description: text,
  remediation: text,
  decision: null,
  entityKey: 'machine:x',
});

/** Of GitHub, Jira, Slack and Teams. */
interface Opened {
  body: string;
  fields: { summary: string; description: DocumentNode };
  text: string;
  blocks: object[];
  attachments: [
    { content: { body: { type: string; inlines: { type: string; text: string }[] }[]; actions: object[] } },
  ];
}

function recordingEgress(status: number, text: string): { egress: Egress; sent: OutgoingRequest[] } {
  const sent: OutgoingRequest[] = [];
  const request = async (one: OutgoingRequest) => {
    sent.push(one);
    return { status, headers: {}, body: Buffer.from(text) };
  };
  return { egress: { request } as unknown as Egress, sent };
}

/** The body of the request that opens a ticket. */
async function opened(kind: TicketKind, text: string): Promise<Opened> {
  const { egress, sent } = recordingEgress(
    201,
    '{"number":1,"html_url":"https://github.example/o/r/issues/1","key":"RISK-1","baseUrl":"https://jira.example"}',
  );
  const connection = { egress, secret: SECRETS[kind], clock: () => 0, timeoutMs: 1, signal: undefined };
  const system = openTicketSystem(kind, { ...connection, url: 'https://github.com/o/r' }, {});
  await system.open(ticketContent(finding(text), 'https://risk.example.com'), MARK);
  return JSON.parse(String(sent.find((request) => request.body)!.body));
}

/** Any visible text, so that no fact and no section is left out. */
const isShown = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

describe('texts of findings in tickets', () => {
  it('are code in the Markdown of GitHub: the rest is the same whatever they are', async () => {
    type Nodes = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];
    const outside = (markdown: string) => {
      const parts: string[] = [];
      const walk = (node: Nodes): void => {
        if (node.type === 'code' || node.type === 'inlineCode') return;
        parts.push([node.type, 'value' in node && node.value, 'url' in node && node.url].join(' '));
        if ('children' in node) for (const child of node.children) walk(child);
      };
      walk(fromMarkdown(markdown));
      return parts;
    };
    const expected = outside((await opened('github', 'plain')).body);
    expect(expected).toContain(`link false ${FINDING_URL}`);
    await fc.assert(
      fc.asyncProperty(texts.filter(isShown), async (text) => {
        expect(outside((await opened('github', text)).body)).toEqual(expected);
      }),
      { numRuns: runs(200) },
    );
  });

  it('are code in the documents of Jira, which its schema accepts: the rest is the same whatever they are', async () => {
    const outside = (node: DocumentNode): unknown => {
      const isCode = node.type === 'codeBlock' || node.marks?.some(({ type }) => type === 'code');
      if (isCode) return null;
      return { ...node, content: node.content?.map(outside) };
    };
    const descriptionOf = async (text: string): Promise<DocumentNode> =>
      (await opened('jira', text)).fields.description;
    const expected = outside(await descriptionOf('plain'));
    expect(JSON.stringify(expected)).toContain(FINDING_URL);
    await fc.assert(
      fc.asyncProperty(texts.filter(isShown), async (text) => {
        const description = await descriptionOf(text);
        expect(documentErrors(description)).toEqual([]);
        expect(outside(description)).toEqual(expected);
      }),
      { numRuns: runs(200) },
    );
  });

  it('have a summary that Jira accepts, in one line', async () => {
    for (const text of [...HOSTILE, '𝒳'.repeat(300)]) {
      const { summary } = (await opened('jira', text)).fields;
      expect(summary.length).toBeLessThanOrEqual(255);
      expect(summary).not.toMatch(/[\r\n]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
    }
  });

  it('are rich text in the cards of Teams, which has no Markdown, and nothing in them is replaced', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const [{ content }] = (await opened('teams', text)).attachments;
        expect(remarksOn(content)).toEqual([]);
        expect(content.actions).toEqual([
          { type: 'Action.OpenUrl', title: 'Open the finding', url: FINDING_URL },
        ]);
        for (const { type, inlines } of content.body) {
          expect(type).toBe('RichTextBlock');
          for (const inline of inlines) {
            expect(Object.keys(inline)).not.toContain('selectAction');
            expect(inline.type).toBe('TextRun');
            expect(inline.text).not.toMatch(/\{\{\s*(DATE|TIME)/i);
          }
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('are left out of a card that Teams would not accept', async () => {
    const message = JSON.stringify(await opened('teams', '𝒳'.repeat(300_000)));
    expect(Buffer.byteLength(message)).toBeLessThan(28 * 1024);
    expect(message).not.toContain('Remediation');
    expect(JSON.stringify(await opened('teams', 'x'.repeat(300_000)))).toContain('Remediation');
  });

  it.each([
    ['braces', '{'],
    ['braces before DATE', '{{DATE'],
    ['wide characters', '𝒳'],
  ])('fit into a card of Teams, title and facts whole, if they are %s', async (_, text) => {
    const message = JSON.stringify(await opened('teams', text.repeat(1_000)));
    expect(Buffer.byteLength(message)).toBeLessThan(28 * 1024);
    expect(message).toContain('Location: ');
    const url = SECRETS.teams;
    const { egress, sent } = recordingEgress(202, '');
    const connection = { egress, url, secret: url, clock: () => 0, timeoutMs: 1, signal: undefined };
    const line = text.repeat(1_000 / text.length);
    await sendToTeams(connection, {
      title: line.slice(0, 200),
      lines: [line, 'the next'],
      more: 0,
      url: null,
    });
    expect(Buffer.byteLength(sent[0]!.body!)).toBeLessThan(28 * 1024);
    expect(String(sent[0]!.body)).toContain('the next');
  });

  it('fit into the sections of Slack', async () => {
    for (const text of ['𝒳', 'x']) {
      const { blocks } = await opened('slack', text.repeat(2_000));
      for (const { text: section } of blocks as { text?: { text: string } }[]) {
        expect(section?.text.length ?? 0).toBeLessThanOrEqual(3_000);
      }
    }
  });

  it('are plain text in the blocks of Slack, and have no mention and no link in the notification', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { text: notification, blocks } = await opened('slack', text);
        expect(notification).not.toMatch(/[<>]/);
        const forms = JSON.stringify(blocks).match(/"type":"mrkdwn","text":"[^"]*"/g);
        expect(forms).toEqual([`"type":"mrkdwn","text":"<${FINDING_URL}|Open the finding>"`]);
      }),
      { numRuns: runs(200) },
    );
  });

  it('are cut between characters in the messages of Slack to a person', async () => {
    const { egress, sent } = recordingEgress(200, 'ok');
    const url = SECRETS.slack;
    const connection = { egress, url, secret: url, clock: () => 0, timeoutMs: 1, signal: undefined };
    await sendToSlack(connection, { title: 'x', lines: ['𝒳'.repeat(2_000)], more: 0, url: null });
    const { blocks } = JSON.parse(String(sent[0]!.body)) as Opened;
    expect(blocks[1]).toMatchObject({ text: { text: `${'𝒳'.repeat(1_499)}…` } });
  });

  it.each([
    ['x'.repeat(150), 30],
    ['𝒳'.repeat(1_000), 4],
  ])(
    'are whole lines in the messages of Slack to a person, the last of which counts the rest',
    async (text, shown) => {
      const { egress, sent } = recordingEgress(200, 'ok');
      const connection = {
        egress,
        url: '',
        secret: SECRETS.slack,
        clock: () => 0,
        timeoutMs: 1,
        signal: undefined,
      };
      await sendToSlack(connection, { title: 'x', lines: Array(30).fill(text), more: 12, url: null });
      const { blocks } = JSON.parse(String(sent[0]!.body)) as { blocks: { text: { text: string } }[] };
      expect(blocks.map((block) => block.text.text)).toEqual([
        'x',
        ...Array(shown).fill(text),
        `And ${42 - shown} more.`,
      ]);
    },
  );

  it('are whole lines in the messages of Teams to a person, the last of which counts the rest', async () => {
    const { egress, sent } = recordingEgress(202, '');
    const connection = {
      egress,
      url: '',
      secret: SECRETS.teams,
      clock: () => 0,
      timeoutMs: 1,
      signal: undefined,
    };
    await sendToTeams(connection, {
      title: 'x',
      lines: Array(30).fill('x'.repeat(1_000)),
      more: 12,
      url: null,
    });
    const [{ content }] = (JSON.parse(String(sent[0]!.body)) as Opened).attachments;
    const lines = content.body.map(({ inlines }) => inlines.map(({ text }) => text).join(''));
    expect(lines.at(-1)).toBe(`And ${42 - (lines.length - 2)} more.`);
    expect(lines.length).toBeGreaterThan(15);
  });

  it('are escaped in the HTML of e-mail, and have no line break in its subject', () => {
    for (const text of HOSTILE) {
      const { subject, html } = mailOf('New: x', ticketContent(finding(text), null));
      expect(subject).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      const tags = [...String(html).matchAll(/<[^>]*>/g)].map(([tag]) => tag);
      const known = [
        '!doctype html',
        'html',
        'body',
        'h2',
        'table',
        'tr',
        'th align="left"',
        'th',
        'td',
        'h3',
        'pre',
      ];
      for (const tag of tags) expect(known.flatMap((name) => [`<${name}>`, `</${name}>`])).toContain(tag);
      expect(String(html)).not.toMatch(/<img|<script|evil\.example">/);
    }
  });

  it.each(['github', 'jira', 'slack'] as const)(
    'have a limited size and no control characters in %s',
    async (kind) => {
      const body = await opened(kind, `${HOSTILE.join(' ')}${'𝒳'.repeat(300_000)}`);
      const text = JSON.stringify(body);
      expect(text.length).toBeLessThan(12_000);
      expect(text).not.toMatch(/\p{Cf}|\\u00/u);
      // No half of a character.
      expect(text).not.toMatch(/\\ud[89a-f]/);
    },
  );
});
