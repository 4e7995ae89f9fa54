import { describe, expect, it } from '@jest/globals';
import { analyse } from 'scslre';
import { signalSchema } from '#libs/contracts';
import { expressionsUnder, patternsOf } from './regular-expressions.ts';

const { found, built } = expressionsUnder('apps', 'libs');

/** Whether a text can make it take more than time in proportion to its length. */
const isSuperLinear = (expression: { source: string; flags: string }): boolean =>
  analyse(expression).reports.length > 0;

describe('regular expressions', () => {
  it.each([
    ['(a+)+$', ''],
    ['\\/+$', ''],
    ['^(\\d+)?(\\d+)?$', ''],
  ])('the analysis knows /%s/ for a trap', (source, flags) => {
    expect(isSuperLinear({ source, flags })).toBe(true);
  });

  it('of the programs are all linear in the text that they are tried on', () => {
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(isSuperLinear)).toEqual([]);
  });

  it('of the published schema are linear too', () => {
    const patterns = patternsOf(signalSchema);
    expect(patterns).not.toEqual([]);
    expect(patterns.filter((source) => isSuperLinear({ source, flags: 'u' }))).toEqual([]);
  });

  it('are never built from input, except in the simulators, which only serve tests', () => {
    const ofPrograms = built.filter(({ file }) => !file.startsWith('apps/simulators/'));
    // Made of words of the program: a key's name, the parts of an instant, the first word of a file.
    expect(ofPrograms.map(({ file }) => file)).toEqual([
      'apps/cli/src/connection.ts',
      'libs/domain/src/signal/read-instant.ts',
      'libs/log-archive/src/container.ts',
    ]);
  });
});
