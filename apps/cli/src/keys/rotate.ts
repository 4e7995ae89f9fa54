import { type DamagedKey, type Rotated, readKeyStatus, rotateKeys } from '#libs/key-rotation';
import { failure } from '../cli-error.ts';
import { createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { sumOf } from './key-words.ts';
import { withKeys } from './with-keys.ts';

const SHOWN_MAX = 20;

const REASONS: Record<DamagedKey['failure'], string> = {
  form: 'is not an encrypted text',
  key: 'is encrypted with a different secret key',
  altered: 'was changed, or belongs to another row',
};

/** @throws CliError exit 1 if something cannot be decrypted; the rest is rotated; as `withKeys` */
export const rotate = (json: boolean, terminal: Terminal): Promise<void> =>
  withKeys(terminal, async (db, vault) => {
    const total = (await readKeyStatus(db)).map(sumOf).reduce((sum, count) => sum + count, 0);
    const phase = createProgress(terminal.stderr, json).phase('Rotating', total, 'keys and secrets');
    const rotated = await rotateKeys(db, vault, {
      onBatch: (done) => phase.reach(Math.min(done, total)),
      signal: terminal.interrupted,
    }).finally(() => phase.end());
    if (!json) terminal.stdout.write(`${sentenceOf(rotated)}\n`);
    if (rotated.damaged > 0) throw failureOf(rotated, json ? rotated.named.length : SHOWN_MAX);
    if (json) {
      const { rotated: count, unchanged, changedMeanwhile } = rotated;
      terminal.stdout.write(`${JSON.stringify({ ok: true, rotated: count, unchanged, changedMeanwhile })}\n`);
    }
  });

function sentenceOf({ rotated, unchanged, changedMeanwhile }: Rotated): string {
  const meanwhile = changedMeanwhile > 0 ? `; ${changedMeanwhile} were changed by others: run it again` : '';
  return `Rotated    ${rotated} keys and secrets; ${unchanged} were under the present wrapping key${meanwhile}`;
}

function failureOf({ rotated, damaged, named }: Rotated, shownMax: number) {
  const shown = named.slice(0, shownMax).map(({ name, failure: why }) => `${name} ${REASONS[why]}`);
  const more = damaged > shown.length ? [`and ${damaged - shown.length} more`] : [];
  return failure(`${damaged} stored keys and secrets cannot be decrypted; ${rotated} others were rotated`, [
    ...shown,
    ...more,
  ]);
}
