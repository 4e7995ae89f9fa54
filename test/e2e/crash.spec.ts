import { rm } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { isLongRun } from '../support/long-run.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { expectVerified } from '../support/verify.ts';

/** A ZIP of findings over some hosts; each signal once. */
const bundle = (name: string, signals: number) =>
  zipOf(
    Object.fromEntries(
      Array.from({ length: signals }, (_, i) => [
        `${i}.json`,
        plainSignal(`${name} finding ${i}`, `${name}-host${i % 7}`),
      ]),
    ),
  );

/** Every signal that was acknowledged is in the fold exactly once: one creation each, and no second version. */
async function expectFoldedOnce(
  client: ApiClient,
  name: string,
  uploadId: string,
  signals: number,
): Promise<void> {
  const upload = await client.folded(uploadId);
  expect(upload).toMatchObject({
    accepted: signals,
    folded: signals,
    outcome: { created: signals, updated: 0 },
  });
  const findings = await client.all(`/api/v3/findings?name=${encodeURIComponent(`${name} finding`)}`);
  expect(findings).toHaveLength(signals);
  expect(findings.every(({ version }) => version === 1)).toBe(true);
}

describe('kill -9', () => {
  it('of a fold, and of uploads at random moments: after a start every acknowledged signal is folded exactly once', async () => {
    const dataDir = await temporaryDataDir();
    const acknowledged: { name: string; uploadId: string }[] = [];
    const retried: string[] = [];
    const SIGNALS = 400;
    const ROUNDS = isLongRun ? 8 : 2;
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const program = await StartedStandalone.start(dataDir);
        const client = await program.client();
        // One upload is acknowledged and killed in its fold; the next is killed wherever it is.
        const folding = `round${round}a`;
        const { status, body } = await client.zip(await bundle(folding, SIGNALS));
        expect(status).toBe(200);
        acknowledged.push({ name: folding, uploadId: body.uploadId });
        const cutOff = `round${round}b`;
        const answer = client
          .zip(await bundle(cutOff, SIGNALS), { 'idempotency-key': cutOff })
          .then(({ body }) => body.uploadId as string)
          .catch(() => null);
        if (round % 2 === 1) await Promise.race([answer, new Promise(setImmediate)]);
        await program.kill();
        const uploadId = await answer;
        if (uploadId) acknowledged.push({ name: cutOff, uploadId });
        else retried.push(cutOff);
      }
      const program = await StartedStandalone.start(dataDir);
      const client = await program.client();
      for (const { name, uploadId } of acknowledged) await expectFoldedOnce(client, name, uploadId, SIGNALS);
      // Unacknowledged uploads are stored by a retry under their key, also if half of one was in the log.
      for (const name of retried) {
        const { status, body } = await client.zip(await bundle(name, SIGNALS), { 'idempotency-key': name });
        expect(status).toBe(200);
        await expectFoldedOnce(client, name, body.uploadId, SIGNALS);
      }
      await expectVerified({ DATA_DIR: dataDir });
      expect(await program.stop()).toBe(0);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 180_000);
});
