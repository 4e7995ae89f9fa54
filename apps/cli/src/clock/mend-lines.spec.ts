import { describe, expect, it } from '@jest/globals';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { printMended } from './mend-lines.ts';

const NONE = { findingsReturned: 0, assetsReturned: 0, corrected: 0 };
const cut = [{ partition: 3, ahead: null, corrections: [], counts: { ...NONE, corrected: 2, isCut: true } }];
const LINE =
  'Partition 3  clock already corrected; findings returned: 0, assets returned: 0, other corrections: 2';

describe('the outcome of `posture clock mend` that is not complete', () => {
  it('is text and an error', () => {
    const terminal = recordingTerminal({});
    const print = () => printMended(cut, { isPreview: false, json: false }, terminal);
    expect(print).toThrow('some entities changed during the correction: run the command again');
    expect(terminal.out()).toBe(`${LINE}\nMended       partitions: 1\n`);
  });

  it('is only the document of the error with --json', () => {
    const terminal = recordingTerminal({});
    const print = () => printMended(cut, { isPreview: false, json: true }, terminal);
    expect(print).toThrow(expect.objectContaining({ exitCode: 1, details: [LINE] }));
    expect(terminal.out()).toBe('');
  });
});
