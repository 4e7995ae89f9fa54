import { describe, expect, it } from '@jest/globals';
import { jsonElements } from './json-elements.ts';
import type { ReportFile } from './report-file.ts';

const RECORD_CHARS_MAX = 1_000;
const CHUNK_CHARS = 100;

const reportOf = (text: string): ReportFile => ({
  name: 'a.json',
  bytes: text.length,
  syntax: 'json',
  head: '',
  encodingProblem: () => null,
  async *text() {
    for (let at = 0; at < text.length; at += CHUNK_CHARS) yield text.slice(at, at + CHUNK_CHARS);
  },
});

async function pathsFound(text: string, paths: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of jsonElements(reportOf(text), paths, undefined, {
    recordLengthMax: RECORD_CHARS_MAX,
  })) {
    found.push(path.join('.'));
  }
  return found;
}

const results = Array.from({ length: 40 }, (_, i) => ({
  ruleId: `rule-${i}`,
  message: { text: 'x'.repeat(80) },
  locations: [{ line: i }],
}));

describe('values of a JSON document', () => {
  it('may be farther apart than the record limit, as the common parts of SARIF, Grype and ZAP', async () => {
    const run = { tool: { driver: {} }, results, invocations: [{ exitCode: 0 }] };
    const text = JSON.stringify({ runs: [run, run] });
    expect(text.length).toBeGreaterThan(5 * RECORD_CHARS_MAX);
    expect(await pathsFound(text, ['$.runs.*.tool', '$.runs.*.invocations'])).toEqual([
      'runs.0.tool',
      'runs.0.invocations',
      'runs.1.tool',
      'runs.1.invocations',
    ]);
    const source = JSON.stringify({ matches: results, source: { target: 'shop' }, 'a:b': '[{"' });
    expect(await pathsFound(source, ['$.source', '$.a:b'])).toEqual(['source', 'a:b']);
  });

  it('are longer together than one may be', async () => {
    const text = JSON.stringify({ runs: [{ results }] });
    expect(await pathsFound(text, ['$.runs.*.results.*'])).toHaveLength(results.length);
  });

  it.each([
    ['is asked for', JSON.stringify({ results: [{}, { of: results }] }), '$.results.*'],
    ['never ends', `{"results": [{}, {"of": [${'0,'.repeat(1_000)}`, '$.results.*'],
    ['is one text that nobody asks for', JSON.stringify({ results: ['x'.repeat(2_000)] }), '$.source'],
  ])('are rejected if one %s and longer than a record may be', async (_, text, path) => {
    await expect(pathsFound(text, [path])).rejects.toThrow('a record is longer than 64 MB');
  });
});
