import { renameSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from './database.ts';
import { filesWithTraces, tablesWithTraces, tracesOf } from './traces.ts';

const MARKER = 'zqmarker';
const traces = tracesOf([MARKER, 'other']);
const base64 = (before: string) => Buffer.from(`${before}${MARKER} and more`).toString('base64');

describe('traces of a marker', () => {
  it.each<[string, string | Buffer]>([
    ['in the clear', `name ${MARKER}@acme.com`],
    ['in upper case', `NAME ${MARKER.toUpperCase()}`],
    ['in base64 at the first place', base64('')],
    ['in base64 at the second place', base64('+')],
    ['in base64 at the third place', base64('??')],
    ['in base64url', Buffer.from(`???${MARKER}`).toString('base64url')],
    ['in hexadecimal digits', Buffer.from(`x${MARKER}`).toString('hex').toUpperCase()],
    ['in UTF-16', Buffer.from(MARKER, 'utf16le')],
    ['in a column of bytes', `(1,"\\\\x${Buffer.from(base64('?')).toString('hex')}")`],
    [
      'in a packed stream between others',
      Buffer.concat([Buffer.from('HEAD\n'), gzipSync(MARKER), Buffer.alloc(32)]),
    ],
  ])('are found %s', (_, content) => {
    expect(traces.in(content)).toEqual([MARKER]);
  });

  it('are not found in other content', () => {
    expect(traces.in(`zqmarke ${gzipSync('nothing').toString('latin1')}`)).toEqual([]);
  });

  describe('in a folder', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'posture-traces-'));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('are found in contents and names of files', async () => {
      await writeFile(join(folder, 'with content'), MARKER);
      await writeFile(join(folder, `with name ${MARKER}`), '');
      await writeFile(join(folder, 'without'), 'nothing');
      expect(await filesWithTraces(folder, traces)).toEqual(['with content', `with name ${MARKER}`]);
    });

    it('are found in a file that gets another name while the folder is searched', async () => {
      await writeFile(join(folder, 'a'), `a ${MARKER}`);
      await writeFile(join(folder, 'b'), `b ${MARKER}`);
      let isRenamed = false;
      const renaming = {
        in(content: string | Buffer) {
          const notRead = content.toString().startsWith('a') ? 'b' : 'a';
          if (!isRenamed) renameSync(join(folder, notRead), join(folder, 'renamed'));
          isRenamed = true;
          return traces.in(content);
        },
      };
      expect(await filesWithTraces(folder, renaming)).toEqual([expect.stringMatching(/^[ab]$/), 'renamed']);
    });
  });

  describe('in a database', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await testDatabase();
    });
    afterAll(() => database.drop());

    it('are found in every schema', async () => {
      expect(await tablesWithTraces(database.pool, traces)).toEqual([]);
      await database.pool.query(
        `create schema restoring; create table restoring.begun (content bytea);
         insert into restoring.begun values (convert_to('${MARKER}', 'utf8'));
         insert into roles (name, scopes) values ('${MARKER}', '{}')`,
      );
      expect(await tablesWithTraces(database.pool, traces)).toEqual(['roles', 'restoring.begun']);
    });
  });
});
