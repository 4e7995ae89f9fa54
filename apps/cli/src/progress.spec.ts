import { describe, expect, it } from '@jest/globals';
import { createProgress, restoreTerminal } from './progress.ts';
import { recordingTerminal } from './testing/simulated-service.ts';

describe('progress (api.md "Command line")', () => {
  it('is plain lines off a terminal, a few however many steps there are', () => {
    const { stderr, err } = recordingTerminal({});
    const phase = createProgress(stderr, false).phase('Reading', 1000, 'files');
    for (let done = 1; done <= 1000; done++) phase.reach(done);
    phase.end();
    expect(err().split('\n')).toEqual([
      'Reading: 1000 files',
      'Reading: 200 of 1000 files',
      'Reading: 400 of 1000 files',
      'Reading: 600 of 1000 files',
      'Reading: 800 of 1000 files',
      'Reading: 1000 of 1000 files',
      '',
    ]);
  });

  it('says nothing where the output is JSON', () => {
    const { stderr, err } = recordingTerminal({});
    const phase = createProgress(stderr, true).phase('Reading', 2, 'files');
    phase.reach(2);
    phase.note('busy');
    phase.end();
    expect(err()).toBe('');
  });

  it('leaves a terminal with its cursor and its lines, and writes nothing to what is none', () => {
    const { stderr, err } = recordingTerminal({});
    restoreTerminal(stderr);
    expect(err()).toBe('');
    restoreTerminal(Object.assign(stderr, { isTTY: true }));
    expect(err()).toBe('\x1b[?25h\x1b[?7h\n');
  });
});
