import { tmpdir } from 'node:os';
import { afterEach, expect, it } from '@jest/globals';
import { openDatabase } from '#libs/database';
import { readMetrics } from '#libs/telemetry';
import { testDatabase } from '../../../../test/support/database.ts';
import { watchSite } from './watch-site.ts';

const NAMES = ['posture_clock_skew_seconds', 'posture_data_dir_free_bytes', 'posture_data_dir_size_bytes'];

/** Those of them that have a value. */
async function metricNames(): Promise<string[]> {
  const text = await readMetrics();
  return NAMES.filter((name) => text.includes(`\n${name} `));
}

let end = () => {};
afterEach(() => end());

// First: a gauge without labels has a value before anything is set.
it('reports no disk if the log is in another database: neither log nor uploads need it', async () => {
  const { pool, db, url, drop } = await testDatabase();
  end = watchSite({ dataDir: tmpdir(), databaseUrl: url }, { pool, db, close: async () => {} });
  expect(await metricNames()).toEqual(['posture_clock_skew_seconds']);
  end();
  await drop();
});

it('reports nothing for a clock that does not respond or a missing disk', async () => {
  const there = await testDatabase();
  end = watchSite({ dataDir: tmpdir() }, { ...there, close: async () => {} });
  expect(await metricNames()).toEqual(NAMES);
  end();
  await there.drop();
  const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere');
  end = watchSite({ dataDir: '/no/such/folder' }, away);
  expect(await metricNames()).toEqual([]);
  await away.close();
});
