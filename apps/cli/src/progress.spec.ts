import { describe, expect, it } from '@jest/globals';
import { recordingTerminal } from '../../../test/fixtures/cli/simulated-service.ts';
import { createProgress, restoreTerminal } from './progress.ts';

describe('progress (R-CLI-1)', () => {
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

  it('says nothing if the output is JSON', () => {
    const { stderr, err } = recordingTerminal({});
    const phase = createProgress(stderr, true).phase('Reading', 2, 'files');
    phase.reach(2);
    phase.note('busy');
    phase.end();
    expect(err()).toBe('');
  });

  it('restores the cursor and lines of a terminal, and writes nothing without a terminal', () => {
    const { stderr, err } = recordingTerminal({});
    restoreTerminal(stderr);
    expect(err()).toBe('');
    restoreTerminal(Object.assign(stderr, { isTTY: true }));
    expect(err()).toBe('\x1b[?25h\x1b[?7h\n');
  });
});
