import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeIntake, encodeIntake } from '#libs/contracts';
import {
  assetId,
  CURRENT_RULES,
  findingId,
  furtherAssetId,
  type IntakeEvent,
  type IntakePayload,
  ORGANIZATION_KEY,
} from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { Seals, sealedKey, sealHostName, sealText, TextOpener } from '#libs/sealing';
import { planSaved } from '../../../test/fixtures/domain/plans.ts';
import { runs } from '../../../test/support/long-run.ts';
import { entity, event, signal, T0, upload } from '../../../test/support/scenario.ts';
import {
  eventsOf,
  foldOf,
  ordered,
  seen,
  steps,
  withLowerNames,
} from '../../../test/support/sealed-histories.ts';
import { SubjectKeysInMemory } from '../../../test/support/subject-keys-in-memory.ts';
import { NewIds } from './new-ids.ts';
import { OldSubjects } from './old-subjects.ts';
import { RecordSealer } from './record-sealer.ts';

const NEW_LOG = '9b2ff3d5-3f4a-4a51-9c55-2f4d7cc0b0a1';
const OLD_LOG = { logId: 'b6d8a6cf-6e8c-4b07-8f5e-6b7d5e0f4c11', heads: ['00ff'] };
const ANA = 'user:ana@acme.com';

/** In the words of two sources. */
const SAID_OF_ANA = JSON.stringify([
  {
    source: 'edr',
    deviceId: 'e1',
    since: T0,
    name: 'Ana',
    hostname: 'ana-laptop',
    fqdn: 'ana-laptop.example',
    ipAddresses: ['of ana'],
    macAddresses: ['of ana too'],
    tags: { team: ['of Ana'] },
    customFields: { owner: ['Ana'] },
  },
  { source: 'cmdb', deviceId: null, isEarlier: true, since: T0, location: 'Pune' },
]);

const stored = (events: IntakeEvent[]): StoredRecord[] =>
  events.map((one, offset) => ({
    partition: 0,
    offset,
    key: one.envelope.entityKey,
    value: encodeIntake(one),
    headers: {},
    storedAt: T0,
  }));

async function sealed(
  records: StoredRecord[],
  keys = new SubjectKeysInMemory(),
  machines = '',
): Promise<StoredRecord[]> {
  const subjects = new OldSubjects(machines);
  for (const record of records) subjects.take(record);
  const known = await keys.obtain([...subjects.partitions.keys()]);
  const seals = new Seals(known);
  const ids = new NewIds(seals, subjects.namedIds);
  for (const record of records) ids.take(record);
  return records.map(new RecordSealer(seals, ids, NEW_LOG, OLD_LOG).seal);
}

const eventsIn = (records: StoredRecord[]) => records.map(({ value }) => decodeIntake(value));

const openerOf = (keys: SubjectKeysInMemory) =>
  new TextOpener(keys, (error) => {
    throw error;
  });

const about = (payload: IntakePayload, at = T0 + 5, entityKey = ANA): IntakeEvent =>
  event(payload, at, { kind: 'user', user: 'ben' }, { entityKey });

describe('a sealed log', () => {
  it('folds to the tables of the old one, apart from ids and texts, for any history', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom('', '*'), async (history, machines) => {
        const keys = new SubjectKeysInMemory();
        const events = eventsOf(history, new Seals(new Map()));
        const records = await sealed(stored(events), keys, machines);
        const old = withLowerNames(events, machines);
        expect(records.map(({ partition, offset }) => [partition, offset])).toEqual(
          old.map((_, offset) => [0, offset]),
        );
        const text = records.map(({ key, value }) => `${key} ${value}`).join();
        expect(text).not.toMatch(/ana@acme\.com|ana\.smith|"ben"/i);
        if (machines !== '') expect(text).not.toMatch(/web01|10\.0\.0\.5/i);
        expect(ordered(await openerOf(keys).value(seen(foldOf(eventsIn(records)))))).toEqual(
          ordered(JSON.parse(JSON.stringify(seen(foldOf(old))))),
        );
      }),
      { numRuns: runs(200) },
    );
  });

  it('is the same bytes at each call', async () => {
    const history = stored(upload(1, T0, [signal('a'), signal('b')], { entityKey: ANA }));
    expect(await sealed(history)).toEqual(await sealed(history));
  });

  it('names the old log and its chain head in the opening', async () => {
    const opened = about({ type: 'LogOpened', logId: OLD_LOG.logId, partitions: 1, scoringModel: null });
    const [record] = await sealed(
      stored([{ ...opened, envelope: { ...opened.envelope, entityKey: 'log:0' } }]),
    );
    expect(decodeIntake(record!.value)).toMatchObject({
      envelope: { id: NEW_LOG },
      payload: { logId: NEW_LOG, sealedFrom: { logId: OLD_LOG.logId, head: '00ff' } },
    });
  });

  it('has acts and mends of users under the new ids, and seals what a mend contains', async () => {
    const keys = new SubjectKeysInMemory();
    const described = { entity: entity({ type: 'user', name: 'ana@acme.com' }) };
    const old = findingId(assetId(ANA), 'va', 'leak');
    const mend: IntakePayload = {
      type: 'EntityMended',
      assets: [
        {
          assetId: assetId(ANA),
          seenVersion: 1,
          seenAt: T0,
          fields: {
            aliases: '["Ana"]',
            tags: '{"team":["of Ana"]}',
            name: 'Ana, no JSON',
            os: '"x"',
            statements: SAID_OF_ANA,
          },
        },
      ],
      findings: [
        {
          assetId: assetId(ANA),
          findingId: old,
          seenVersion: 1,
          seenAt: T0,
          fields: {
            instances: '[{"key":"Ana","evidence":"","tags":{}}]',
            accepted: '{"by":"cleo","at":1,"rationale":"Ana said so","until":null}',
          },
          seen: { instanceStamps: '{"Ana":[1,"u"]}' },
        },
      ],
    };
    const acts: IntakePayload[] = [
      { type: 'FindingReverted', findingId: old, seenVersion: null, to: 'Failed', rationale: 'Ana again' },
      { type: 'FindingReverted', findingId: NEW_LOG, seenVersion: null, to: 'Failed', rationale: null },
      { type: 'AssetDeleted', assetId: assetId(ANA), seenVersion: null },
      { type: 'StatementEnded', assetId: assetId(ANA), source: 'edr', deviceId: 'e1' },
      mend,
    ];
    const records = await sealed(
      stored([
        ...upload(1, T0, [signal('leak', 'fail', described)], { entityKey: ANA }),
        ...acts.map((act) => about(act)),
      ]),
      keys,
    );
    const key = sealedKey(keys.keyOf(ANA).subject);
    const [reverted, unknown, deleted, ended, mended] = eventsIn(records)
      .slice(-acts.length)
      .map(({ payload }) => payload);
    const id = findingId(assetId(key), 'va', 'leak');
    expect(reverted).toMatchObject({ findingId: id });
    expect((unknown as { findingId: string }).findingId).not.toBe(NEW_LOG);
    expect(deleted).toMatchObject({ assetId: assetId(key) });
    expect(ended).toMatchObject({ assetId: assetId(key), source: 'edr', deviceId: 'e1' });
    expect(mended).toMatchObject({ assets: [{ assetId: assetId(key) }], findings: [{ findingId: id }] });
    expect(records.map(({ key, value }) => `${key} ${value}`).join()).not.toMatch(/ana|cleo/i);
    expect(await openerOf(keys).value(mended)).toMatchObject({
      assets: [
        {
          fields: {
            aliases: '["Ana"]',
            tags: '{"team":["of Ana"]}',
            name: 'not JSON',
            os: '"x"',
            statements: SAID_OF_ANA,
          },
        },
      ],
      findings: [
        {
          fields: {
            instances: '[{"key":"Ana","evidence":"","tags":{}}]',
            accepted: '{"by":"cleo","at":1,"rationale":"Ana said so","until":null}',
          },
          seen: { instanceStamps: '{"Ana":[1,"u"]}' },
        },
      ],
    });
  });

  it.each([6, CURRENT_RULES])(
    'has acts on each asset of a sealed machine under its new ids, of rules %d',
    async (rules) => {
      const keys = new SubjectKeysInMemory();
      const machine = 'machine:laptop';
      const assetRules = { matching: 'fqdn', importAssets: true, updateMetadata: true } as const;
      const named = (name: string) =>
        signal('leak', 'fail', { entity: entity({ name, hostname: 'Laptop', fqdn: name }), assetRules });
      const [home, work] = [assetId(machine), furtherAssetId(machine, 'laptop.work', rules)];
      const acts: IntakePayload[] = [home, work].map((asset) => ({
        type: 'FindingAccepted',
        findingId: findingId(asset, 'va', 'leak'),
        seenVersion: null,
        rationale: 'known',
        until: null,
      }));
      const mend = {
        assetId: work,
        seenVersion: 1,
        seenAt: T0,
        fields: { aliases: '["Laptop.work"]', ipAddresses: '["8.8.8.8"]', hostname: '"Laptop"' },
      };
      acts.push({ type: 'EntityMended', assets: [mend], findings: [] });
      acts.push({ type: 'AssetDeleted', assetId: work, seenVersion: null });
      const old = [
        ...upload(1, T0, [named('Laptop.home'), named('Laptop.work')], { entityKey: machine, rules }),
        ...acts.map((act) => about(act, T0 + 5, machine)),
      ];
      const events = eventsIn(await sealed(stored(old), keys, 'lap*'));
      expect(JSON.stringify(events)).not.toMatch(/laptop|8\.8\.8\.8/i);
      const key = sealedKey(keys.keyOf(machine).subject, 'machine');
      const fqdn = sealHostName('laptop.work', keys.keyOf(machine));
      const asset = furtherAssetId(key, fqdn, rules);
      expect(events.slice(-4).map(({ payload }) => payload)).toMatchObject([
        { findingId: findingId(assetId(key), 'va', 'leak') },
        { findingId: findingId(asset, 'va', 'leak') },
        { assets: [{ assetId: asset, fields: { aliases: JSON.stringify([fqdn]) } }] },
        { assetId: asset },
      ]);
      const states = (log: IntakeEvent[]) =>
        seen(foldOf(log)).assets.flatMap(({ findings }) =>
          findings.map(({ finding }) => [finding.state, finding.retiredReason]),
        );
      expect(states(events)).toEqual(states(old));
    },
  );

  it('has plans with the findings of users under their new ids, wherever the plan is in the log', async () => {
    const keys = new SubjectKeysInMemory();
    const ofWeb = findingId(assetId('machine:web01'), 'va', 'leak');
    const plan = planSaved({
      findingIds: [findingId(assetId(ANA), 'va', 'leak'), ofWeb],
      query: `assetId=${assetId(ANA).toUpperCase()}&severityMin=7`,
    });
    const described = { entity: entity({ type: 'user', name: 'ana@acme.com' }) };
    const records = await sealed(
      stored([
        about(plan, T0, ORGANIZATION_KEY),
        ...upload(1, T0, [signal('leak', 'fail', described)], { entityKey: ANA }),
        ...upload(2, T0, [signal('leak')]),
      ]),
      keys,
    );
    const asset = assetId(sealedKey(keys.keyOf(ANA).subject));
    const [planned] = eventsIn(records);
    expect(await openerOf(keys).value(planned!.payload)).toMatchObject({
      findingIds: [findingId(asset, 'va', 'leak'), ofWeb],
      query: `assetId=${asset}&severityMin=7`,
    });
  });

  it('has the instances and the names of a mend in the order of the fold', async () => {
    const keys = new SubjectKeysInMemory();
    const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const [at, of] = [
      { seenVersion: 1, seenAt: T0 },
      { assetId: assetId('machine:laptop'), findingId: NEW_LOG },
    ];
    const mend: IntakePayload = {
      type: 'EntityMended',
      assets: [{ assetId: of.assetId, ...at, fields: { aliases: JSON.stringify(texts) } }],
      findings: [
        { ...of, ...at, fields: { instances: JSON.stringify(texts.map((key) => ({ key }))) }, seen: {} },
      ],
    };
    const [record] = await sealed(stored([about(mend, T0 + 5, 'machine:laptop')]), keys, 'lap*');
    const { assets, findings } = decodeIntake(record!.value).payload as typeof mend;
    const aliases: string[] = JSON.parse(assets[0]!.fields.aliases!);
    const instances: { key: string }[] = JSON.parse(findings[0]!.fields.instances!);
    for (const list of [aliases, instances.map(({ key }) => key)]) {
      expect(list).toEqual(list.toSorted());
      expect((await openerOf(keys).value(list)).toSorted()).toEqual(texts);
    }
  });

  it('has the number of recipients of a webhook, and no e-mail address', async () => {
    const options = { to: ['bo@example.com', 'cy@example.com'], from: 'ro@example.com', user: 'ro' };
    const acted = (details: Record<string, string>): IntakePayload => ({
      type: 'WebhookChanged',
      act: 'added',
      webhookId: NEW_LOG,
      details,
    });
    const details: Record<string, string>[] = [
      { enabled: 'true', options: JSON.stringify(options) },
      { url: '"https://a"' },
    ];
    const records = await sealed(stored(details.map((given) => about(acted(given), T0, 'org:settings'))));
    expect(eventsIn(records).map(({ payload }) => payload)).toMatchObject([
      { details: { enabled: 'true', options: '{"recipients":2}' } },
      { details: { url: '"https://a"' } },
    ]);
  });

  it('has no bytes of corrupt records, no names in warnings, and no text that only looks sealed', async () => {
    const keys = new SubjectKeysInMemory();
    const forged = sealText('ana', keys.keyOf(ANA));
    const [first] = upload(1, T0, [signal('a', 'fail', { description: `${forged} \ufdd0` })], {
      entityKey: ANA,
    });
    const header = {
      events: 1,
      signals: 1,
      rejected: 0,
      assetMatchingCriteria: [],
      fullAssessmentForTypes: [],
    };
    const warnings = [{ entry: 'ana.json', field: 'tags.ana', message: 'is unknown' }];
    const warned = { ...first!, envelope: { ...first!.envelope, upload: { ...header, warnings } } };
    const [record, broken] = stored([warned, first!]);
    const [good, corrupt] = await sealed(
      [record!, { ...broken!, value: Buffer.from('\0\0\0\0\x0bana') }],
      keys,
    );
    const { envelope, payload } = decodeIntake(good!.value);
    expect(await openerOf(keys).value(payload)).toMatchObject({
      description: `${forged} \ufdd0`.replace(/[\ufdd0\ufdd1]/g, '\ufffd'),
    });
    expect(envelope.upload!.warnings).toEqual([{ entry: 'erased', field: 'erased', message: 'is unknown' }]);
    expect(() => decodeIntake(corrupt!.value)).toThrow();
    expect(`${corrupt!.key} ${corrupt!.value}`).not.toContain('ana');
  });

  it('is not sealed again', async () => {
    const records = await sealed(stored(upload(1, T0, [signal('a')], { entityKey: ANA })));
    const opened = about({ type: 'LogOpened', logId: 'x', partitions: 1, scoringModel: null }, T0, 'log:0');
    await expect(sealed(await sealed(stored([opened])))).rejects.toThrow(/already contains sealed texts/);
    await expect(
      sealed([
        ...(await sealed(stored([about({ type: 'EntitySwept', deleteIdleSince: null })]))),
        ...records,
      ]),
    ).rejects.toThrow(/already contains sealed texts/);
  });
});
