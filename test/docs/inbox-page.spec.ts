import { expect, it } from '@jest/globals';
import { parseSignal } from '#libs/contracts';
import { readSignal } from '#libs/domain';
import { arrival } from '../fixtures/domain/signals.ts';
import { textOf } from './project-texts.ts';

it('the command of docs/inbox.md sends a signal', async () => {
  const [, key, value] = /^echo '([^|']+)\|([^']+)' \|$/m.exec(await textOf('docs/inbox.md'))!;
  const parsed = parseSignal(Buffer.from(value!));
  const read = parsed.ok ? readSignal(parsed.signal, arrival({ route: 'json' })) : parsed;
  expect(read).toMatchObject({
    ok: true,
    entityKey: `machine:${key}`,
    warnings: [],
    payload: { observations: [{ instances: [{ status: 'fail', cves: ['CVE-2021-44228'] }] }] },
  });
});
