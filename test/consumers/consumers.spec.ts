import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeChange, FINDINGS_TOPIC, SCORES_TOPIC } from '#libs/contracts';
import type { StoredRecord } from '#libs/event-log';
import { plainSignal } from '../support/api-client.ts';
import { installPackages } from '../support/debian-packages.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { PYTHON_MS_MAX, pythonWith } from '../support/python-environment.ts';
import { ADMIN } from '../support/started-standalone.ts';
import { findingsOfApi, findingsOfRecords } from './api-view.ts';
import { byPartition, type ConsumedRecord, inMilliseconds, kcatRecord } from './consumed.ts';
import { describeConsumers, NEEDED_PACKAGES } from './describe-consumers.ts';
import { changeFindings, createFindings } from './findings-load.ts';
import { Follower } from './follower.ts';
import { NODE_PROGRAM, PYTHON_PROGRAM, settings, shellBlock } from './page.ts';
import { PARTITIONS, PublishedSite } from './published-site.ts';

const run = promisify(execFile);
const REQUIREMENTS = fileURLToPath(new URL('./requirements.txt', import.meta.url));
const KCAT_MS_MAX = 60_000;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CHANGES = ['created', 'updated', 'stateChanged', 'retired', 'returned', 'accepted', 'reverted'];

/** A program and its arguments. */
type Command = readonly string[];

/** Every second run. */
const ROTATION = { shares: 2, turn: 1, as: describeConsumers } as const;

describeInRun(ROTATION, 'posture.findings, read by others with the programs of docs/subscribing.md', () => {
  let python: string;
  let site: PublishedSite;
  /** The topic as the service itself reads it. */
  let published: StoredRecord[];

  beforeAll(async () => {
    await installPackages(NEEDED_PACKAGES);
    python = await pythonWith(REQUIREMENTS);
    site = await PublishedSite.start();
    const created = await createFindings(site);
    await site.untilPublished(created);
    await site.abortTransaction(python);
    const changed = await changeFindings(site);
    await site.untilPublished(created + changed);
    await site.abortTransaction(python);
    expect(await site.published()).toHaveLength(created + changed);
  }, PYTHON_MS_MAX);

  afterAll(async () => {
    expect(await site?.stop()).toEqual([0, 0, 0]);
  }, 60_000);

  beforeEach(async () => {
    published = await site.published();
  });

  const place = (group = '', url = site.url) => settings({ brokers: site.brokers, url, group });

  /** The records that a program prints. Sends it Ctrl-C after `count` records. */
  async function consume(program: Command, group: string, count: number): Promise<ConsumedRecord[]> {
    const follower = Follower.start(`${place(group)}\nexec "$0" "$@"`, { args: program });
    let code: number | null = null;
    try {
      await follower.untilLines(count);
    } finally {
      code = await follower.interrupt();
    }
    expect(code).toBe(0);
    return follower.lines.map((line) => JSON.parse(line));
  }

  async function kcat(command: string): Promise<ConsumedRecord[]> {
    const { stdout } = await run('bash', ['-euc', `${place()}\n${command}`], { timeout: KCAT_MS_MAX });
    return byPartition(stdout.trimEnd().split('\n').map(kcatRecord));
  }

  const placed = ({ partition, offset, key, headers }: Omit<ConsumedRecord, 'finding'>) => ({
    partition,
    offset,
    key,
    headers,
  });

  it('kcat lists every key with its headers, in order, and nothing that was taken back', async () => {
    const records = await kcat(shellBlock('kcat'));
    expect(records).toEqual(published.map(placed));
    expect(new Set(records.map(({ headers }) => headers.ce_type))).toEqual(
      new Set([...CHANGES, 'tombstone'].map((name) => `posture.finding.${name}`)),
    );
  }, 60_000);

  it('kcat lists the scores under the name of their topic', async () => {
    await site.untilScored();
    const scores = await site.published(SCORES_TOPIC);
    expect(await kcat(ofScores(shellBlock('kcat')))).toEqual(scores.map(placed));
  }, 90_000);

  it('aborted transactions are on every partition, between the changes and after them', async () => {
    const uncommitted = await kcat(shellBlock('kcat').replace('read_committed', 'read_uncommitted'));
    const others = uncommitted.filter(({ key }) => key === 'aborted');
    expect(others.map(({ partition }) => partition)).toEqual(twiceEach(PARTITIONS));
    expect(uncommitted).toHaveLength(published.length + others.length);
  }, 60_000);

  describe.each([
    ['confluent-kafka-python', (): Command => [python, '-c', PYTHON_PROGRAM]],
    [
      '@kafkajs/confluent-schema-registry',
      (): Command => [process.execPath, '--input-type=module', '-e', NODE_PROGRAM],
    ],
  ])('%s', (_, program) => {
    /** Of one run from the beginning to the end. */
    let records: ConsumedRecord[];
    beforeAll(async () => {
      const { length } = await site.published();
      records = byPartition(await consume(program(), randomUUID(), length));
    }, 90_000);

    it('decodes every record as the service does, each once and in order', () => {
      expect(records.map(placed)).toEqual(published.map(placed));
      expect(records.map(({ finding }) => inMilliseconds(finding))).toEqual(published.map(decodedByService));
    });

    it('gets CloudEvents, numbered without a gap', () => {
      expect(new Set(records.map(({ headers }) => headers.ce_id)).size).toBe(records.length);
      expect(records.map(({ headers }) => headers)).toEqual(records.map(cloudEventOf));
      for (let partition = 0; partition < PARTITIONS; partition += 1) {
        const changes = records.filter((record) => record.partition === partition && record.finding !== null);
        expect(changes.map(({ headers }) => Number(headers.sequence))).toEqual(changes.map((_, i) => i + 1));
      }
    });

    it('receives every finding as the API returns it: its state, and each change once', async () => {
      const learnt = findingsOfRecords(records);
      expect(learnt).toEqual(await findingsOfApi(site.client));
      for (const { finding, history } of learnt.values()) expect(history).toHaveLength(finding.version);
    }, 90_000);

    it('reads the scores under the name of their topic', async () => {
      await site.untilScored();
      const scores = await site.published(SCORES_TOPIC);
      const read = byPartition(await consume(program().map(ofScores), randomUUID(), scores.length));
      expect(read.map(placed)).toEqual(scores.map(placed));
      expect(read.map(({ finding }) => inMilliseconds(finding))).toEqual(scores.map(decodedByService));
      expect(scores.map(decodedByService)).toContainEqual(
        expect.objectContaining({ score: expect.any(Number), previousScore: null }),
      );
    }, 90_000);

    it('resumes after Ctrl-C', async () => {
      const group = randomUUID();
      await consume(program(), group, published.length);
      const name = `since ${group}`;
      await site.send(plainSignal(name, 'web0'));
      const further = await consume(program(), group, 1);
      expect(further).toMatchObject([{ finding: { name, version: 1 } }]);
    }, 120_000);
  });

  it('confluent-kafka-python begins with the record at which it failed because no gateway answered', async () => {
    const group = randomUUID();
    const program = [python, '-c', PYTHON_PROGRAM];
    const script = `${place(group, 'http://127.0.0.1:9')}\nexec "$0" "$@"`;
    const failing = Follower.start(script, { args: program });
    try {
      await expect(failing.untilLines(1)).rejects.toThrow('ended after 0 lines');
    } finally {
      await failing.interrupt();
    }
    const read = byPartition(await consume(program, group, published.length));
    expect(read.map(placed)).toEqual(published.map(placed));
  }, 120_000);

  it('curl follows the changes, and resumes after the last one that it received', async () => {
    const name = `followed ${randomUUID()}`;
    const live = shellBlock('TOKEN=');
    const [id] = await follow(live, {}, async (stream) => {
      await stream.untilPrinted('where it begins', () => idsIn(stream).length > 0);
      await site.send(plainSignal(`${name} 1`, 'web0'));
      await stream.untilPrinted(name, () => namesIn(stream).length > 0);
      expect(namesIn(stream)).toEqual([`${name} 1`]);
      return idsIn(stream).slice(-1);
    });
    await site.send(plainSignal(`${name} 2`, 'web0'));
    const signIn = live.split('\n')[0];
    await follow(`${signIn}\n${shellBlock('Last-Event-ID')}`, { LAST_EVENT_ID: id }, async (stream) => {
      await stream.untilPrinted(name, () => namesIn(stream).length > 0);
      expect(namesIn(stream)).toEqual([`${name} 2`]);
    });
    await site.untilPublished(published.length + 2);
  }, 90_000);

  it('left tables that equal the fold of the log', () => site.verified(), 60_000);

  /** What curl prints, for as long as `work` takes. */
  async function follow<T>(script: string, env: object, work: (stream: Follower) => Promise<T>): Promise<T> {
    const user = { POSTURE_USERNAME: ADMIN.username, POSTURE_PASSWORD: ADMIN.password };
    const stream = Follower.start(`${place()}\n${script}`, { env: { ...user, ...env } });
    try {
      return await work(stream);
    } finally {
      await stream.interrupt();
    }
  }
});

/** A program of the page for the other topic. */
const ofScores = (text: string): string => text.replaceAll(FINDINGS_TOPIC, SCORES_TOPIC);

const fieldsIn = ({ lines }: Follower, field: string): string[] =>
  lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2));
const idsIn = (stream: Follower): string[] => fieldsIn(stream, 'id');
const namesIn = (stream: Follower): string[] => fieldsIn(stream, 'data').map((data) => JSON.parse(data).name);

const decodedByService = ({ value }: StoredRecord) =>
  value.length === 0 ? null : decodeChange(value).changed;

const twiceEach = (count: number): number[] => Array.from({ length: 2 * count }, (_, i) => Math.floor(i / 2));

/** The headers that a record must have, as schemas/asyncapi.yaml says. */
function cloudEventOf({ partition, key, finding }: ConsumedRecord) {
  const common = {
    ce_specversion: '1.0',
    ce_id: expect.stringMatching(UUID),
    ce_source: `/posture.intake/${partition}`,
    ce_subject: key,
  };
  if (finding === null) {
    return {
      ...common,
      ce_type: 'posture.finding.tombstone',
      ce_time: expect.stringMatching(INSTANT),
      sequence: expect.stringMatching(/^\d+$/),
      deletion: expect.stringMatching(/^\d+$/),
    };
  }
  const { name, at, sequence } = inMilliseconds(finding).change;
  return {
    ...common,
    ce_type: `posture.finding.${name}`,
    ce_time: new Date(at).toISOString(),
    'content-type': 'application/avro',
    sequence: `${sequence}`,
  };
}
