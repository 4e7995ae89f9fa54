import { describe, expect, it } from '@jest/globals';
import { createClient } from '#client';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { runRetention } from './run-retention.ts';

/** A service whose runs have these numbers of pending records, the last one for ever; null: nothing is left. */
function serviceWith(pending: (number | null)[]) {
  const answers = pending.map((pendingRecords) => ({
    isComplete: pendingRecords === null,
    pendingRecords: pendingRecords ?? 0,
  }));
  return createClient({
    url: 'http://localhost',
    token: 'token',
    fetch: async ({ method }) =>
      Response.json(method === 'GET' ? { types: [] } : answers.length > 1 ? answers.shift() : answers[0]),
  });
}

describe('a run of the retention', () => {
  const run = (pending: (number | null)[]) =>
    runRetention(serviceWith(pending), true, recordingTerminal({}), 1);

  it('continues while records are processed, and parts are appended', async () => {
    await expect(run([7, 2, 0, 7, null])).resolves.toBeUndefined();
  });

  it('fails if nothing is processed', async () => {
    await expect(run([0, 7])).rejects.toMatchObject({
      exitCode: 1,
      message:
        'no projector processes the log (7 records pending): start the service, then run the command again',
    });
  });
});
