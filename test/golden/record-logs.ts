import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { readExtent, writeLogFile } from '#libs/log-archive';
import { foldedRows } from '../support/folded-rows.ts';
import { MemoryLog } from '../support/memory-log.ts';
import { withFolded } from './fold-file.ts';
import { BUILDERS, GoldenLog } from './golden-logs.ts';
import { canonical } from './recorded-rows.ts';
import { frozenFile, isFrozen, releasedSchemas } from './released-schemas.ts';

/** Run only by `npm run golden`, through Jest for its database and its TypeScript. */

const isNew = (name: string) => !new GoldenLog(name).isRecorded;
const [fresh, recorded] = [
  Object.keys(BUILDERS).filter(isNew),
  Object.keys(BUILDERS).filter((name) => !isNew(name)),
];

if (fresh.length === 0) it('has nothing new to record', () => expect(recorded).not.toEqual([]));
if (recorded.length > 0) it.skip(`does not record again: ${recorded.join(', ')}`, () => {});

for (const { id, name, schema } of releasedSchemas().filter((one) => !isFrozen(one))) {
  it(`freezes schema ${id}, ${name}`, () =>
    writeFile(frozenFile(id), `${JSON.stringify(schema, null, 2)}\n`, { flag: 'wx' }));
}

for (const name of fresh) it(`records ${name}`, () => record(name));

async function record(name: string): Promise<void> {
  const golden = new GoldenLog(name);
  const { port } = MemoryLog.opened(BUILDERS[name]!());
  const extent = await readExtent(port);
  await writeLogFile(port, extent, createWriteStream(golden.logPath, { flags: 'wx' }));
  const rows = await withFolded(await golden.open(), foldedRows);
  await writeFile(golden.rowsPath, rows.map((row) => `${canonical(row)}\n`).join(''), { flag: 'wx' });
}
