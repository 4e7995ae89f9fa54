import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-encoding-'));
});
afterAll(() => rm(dir, { recursive: true }));

const finding = (name: string) =>
  `${JSON.stringify({ 'template-id': 't', info: { name }, host: 'web01', timestamp: '2026-01-01T00:00:00Z' })}\n`;

async function notesOf(content: Buffer) {
  const report = join(dir, 'report.json');
  await runConvert(dir, { 'a.jsonl': content }, '--report', report);
  const { entries } = JSON.parse(await readFile(report, 'utf8'));
  return entries.filter(({ text }: { text: string }) => text.includes('U+FFFD'));
}

describe('the encoding of a report', () => {
  it('is noted once if it differs from the declared one, with the first line that shows it', async () => {
    const content = finding('Weak') + finding('Brüchig') + finding('Größe');
    expect(await notesOf(Buffer.from(content, 'latin1'))).toEqual([
      {
        what: 'note',
        file: expect.stringMatching(/a\.jsonl$/),
        place: 'line 2',
        name: '',
        text: 'has bytes that are not UTF-8: read as U+FFFD',
      },
    ]);
  });

  it.each([
    ['UTF-8', Buffer.from(finding('Brüchig'))],
    ['UTF-8 that has U+FFFD', Buffer.from(finding('Br\uFFFDchig'))],
    ['UTF-16', Buffer.from(`\uFEFF${finding('Brüchig')}`, 'utf16le')],
  ])('is not noted if it is %s', async (_, content) => {
    expect(await notesOf(content)).toEqual([]);
  });

  it('is right if a character is divided between two pieces of the file', async () => {
    const padding = 'x'.repeat(262_144);
    const content = finding('Weak') + finding(`ü${padding}ü`) + finding(`${padding.slice(0, -1)}ü`);
    expect(await notesOf(Buffer.from(content))).toEqual([]);
  });

  it.each(['utf-16', 'UTF-16BE', 'unicode'])(
    'is UTF-8 if XML declares %s in single bytes',
    async (declared) => {
      const alert = '<alertitem><name>Brüchig</name><riskcode>2</riskcode></alertitem>';
      const site = `<site host="web01" port="80"><alerts>${alert}</alerts></site>`;
      const content = `<?xml version="1.0" encoding="${declared}"?><OWASPZAPReport>${site}</OWASPZAPReport>`;
      const { signals } = await runConvert(dir, { 'a.xml': content });
      expect(signals.map(({ name }) => name)).toEqual(['Brüchig']);
    },
  );
});
