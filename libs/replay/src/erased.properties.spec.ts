import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeIntake } from '#libs/contracts';
import { actEnvelope, type IntakeEvent, readingAt } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { Projection } from '#libs/projection';
import { EventSealer, entityTypeOf, personName, sealedKey, TextOpener } from '#libs/sealing';
import { SubjectKeys } from '#libs/subject-keys';
import { Vault } from '#libs/vault';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { emptyFolded, foldedRows } from '../../../test/support/folded-rows.ts';
import { runs } from '../../../test/support/long-run.ts';
import { T0, uploadId } from '../../../test/support/scenario.ts';
import { eventsOf, MACHINE_KEYS, steps, USER_KEYS } from '../../../test/support/sealed-histories.ts';
import { replaySite, verifySite } from './index.ts';

const ACTOR = personName('ben');

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function empty(): Promise<void> {
  await emptyFolded(database);
  await database.pool.query('truncate log_records, log_ends, log_identity, subject_keys');
}

const erasure = (entityKey: string, subject: string, at: number, n: number): IntakeEvent => ({
  envelope: actEnvelope({
    id: uploadId(10_000 + n),
    entityKey,
    at,
    receivedAt: at,
    settingsVersion: 0,
    by: null,
  }),
  payload: { type: 'SubjectErased', subject, reason: 'a request' },
});

it('with erasures at any place of a history, verify is clean, and a replay gives the same rows (R-ERASE-4)', async () => {
  const names = [ACTOR, ...USER_KEYS, ...MACHINE_KEYS];
  const places = fc.array(fc.constantFrom(null, null, ...names), { minLength: 5, maxLength: 5 });
  await fc.assert(
    fc
      .asyncProperty(steps, places, async (history, erasedAfter) => {
        const keys = new SubjectKeys(database.db, new Vault([randomBytes(32)]));
        const log = new PostgresEventLog({ url: database.url, partitions: 1 });
        const projection = new Projection(database.db);
        const destroyed = new Set<string>();
        const append = async (events: IntakeEvent[]) => {
          if (events.length === 0) return;
          const records = events.map((event) => ({
            key: event.envelope.entityKey,
            value: encodeIntake(event),
          }));
          await log.append(INTAKE_TOPIC, records);
        };
        try {
          await openLog(database.db, log, () => readingAt(T0));
          for (const n of history.keys()) {
            // A name that comes again after its erasure is another subject.
            const seals = await new EventSealer(keys, '*').sealsFor(names);
            const before = eventsOf(history.slice(0, n), seals).length;
            const events = eventsOf(history.slice(0, n + 1), seals).slice(before);
            await append(events);
            const name = erasedAfter[n];
            const key = name ? (await keys.find([name])).get(name) : undefined;
            if (!key) continue;
            await append([
              erasure(
                sealedKey(key.subject, entityTypeOf(name!)),
                key.subject,
                events.at(-1)?.envelope.at ?? T0,
                n,
              ),
            ]);
            await keys.destroy([key.subject]);
            destroyed.add(key.subject);
          }
          const [end] = await log.ends(INTAKE_TOPIC);
          const next = await projection.open(0);
          for await (const records of log.read(INTAKE_TOPIC, 0, next, end!))
            await projection.project(records);

          const live = { ...database, close: async () => {} };
          const rows = await foldedRows(database);
          expect(await verifySite(live, log, { databaseUrl: database.url })).toMatchObject({ differing: 0 });
          await replaySite(live, log, { databaseUrl: database.url });
          expect(await foldedRows(database)).toEqual(rows);

          // In lower case, for sorting: no reader opens it.
          const asText = JSON.stringify(rows, (name, value) => (name === 'sort_name' ? undefined : value));
          const opened = await new TextOpener(keys, (error) => {
            throw error;
          }).json(asText);
          expect(opened).not.toContain('unavailable');
          const isStored = [...destroyed].some((subject) => asText.includes(`\ufdd02${subject}`));
          if (isStored) expect(opened).toContain('erased');
          expect(opened).not.toContain('\ufdd0');
        } finally {
          await log.close();
        }
      })
      .beforeEach(empty),
    { numRuns: runs(20) },
  );
}, 180_000);
