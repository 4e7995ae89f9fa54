import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTopics } from '#libs/event-log';
import { ApiClient, plainSignal } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeOwnKafka } from '../support/kafka.ts';
import { describeInRun, hasChanged } from '../support/part-of-run.ts';
import { temporaryDataDir } from '../support/started-standalone.ts';
import { BuiltImage } from './built-image.ts';
import { programsOf, readCompose } from './compose-file.ts';
import { Container } from './container.ts';
import { freePorts, type StartedKafkaService, startKafkaService } from './kafka-service.ts';

const run = promisify(execFile);
const compose = readCompose();
const programs = programsOf(compose);

/** What the image and its containers are made of, besides the programs, whose other tests run every time. */
const INPUTS = [
  'Dockerfile',
  'docker-compose.yml',
  'package-lock.json',
  'scripts/bundle.mjs',
  'deploy',
  'test/deploy',
];

/** What `docker compose up` would run, by the same files, on this machine itself. */
const ROTATION = { shares: 3, turn: 0, isDue: hasChanged(...INPUTS), as: describeOwnKafka } as const;

describeInRun(ROTATION, 'the programs of docker-compose.yml, without Docker', () => {
  let folder: string;
  let image: BuiltImage;
  let kafka: StartedKafkaService;
  let database: TestDatabase;
  const containers = new Map<string, Container>();

  beforeAll(async () => {
    folder = await temporaryDataDir();
    image = await BuiltImage.build();
    await image.makeReadOnly();
    [kafka, database] = await Promise.all([startKafkaService(compose, folder), testDatabase()]);
    const ports = await freePorts(programs.length);
    for (const [i, [name, service]] of programs.entries()) {
      const elsewhere = {
        DATABASE_URL: database.url,
        KAFKA_BROKERS: kafka.here(service.environment!.KAFKA_BROKERS!),
        PORT: `${ports[i]}`,
      };
      containers.set(name, new Container(image, service, elsewhere));
    }
  }, 300_000);

  afterAll(async () => {
    const codes = await Promise.all([...containers.values()].map((container) => container.stop()));
    await database?.drop();
    await kafka?.cluster.stop();
    await image?.remove();
    await rm(folder, { recursive: true, force: true });
    expect(codes).toEqual(programs.map(() => 0));
  }, 60_000);

  it('all become healthy by their own check', async () => {
    await Promise.all([...containers.values()].map((container) => container.untilHealthy()));
  }, 90_000);

  it('Kafka is healthy by its own check, and its topics are such as the product needs', async () => {
    const [, program, ...args] = compose.services.kafka!.healthcheck!.test.map(kafka.here);
    await run(program!, args);
    const partitions = Number(compose.services.gateway!.environment!.LOG_PARTITIONS);
    // By the listener for the tools of this machine.
    expect(await openTopics({ brokers: [kafka.host], partitions })).toEqual([
      expect.stringContaining('one replica'),
    ]);
  }, 30_000);

  it('cannot write to the image', async () => {
    for (const [, container] of containers) {
      const { code, output } = await container.exec(['node', '-e', "fs.writeFileSync('dist/written', '')"]);
      expect(code).not.toBe(0);
      expect(output).toContain('EACCES');
    }
  });

  it('fold uploads with the first credentials', async () => {
    const gateway = containers.get('gateway')!;
    const { output } = await gateway.exec(['cat', `${image.env.DATA_DIR}/initial-credentials`]);
    const [, username, password] = /^username=(.+)\npassword=(.+)\n$/.exec(output)!;
    const client = await ApiClient.signIn(gateway.url, { username: username!, password: password! });
    const { status, body } = await client.signal(plainSignal('contained', 'web01'));
    expect(status).toBe(200);
    expect(await client.folded(body.uploadId)).toMatchObject({ folded: 1, outcome: { created: 1 } });
  }, 60_000);

  it('back up into the folder of the gateway’s volume', async () => {
    const backup = ['node', 'apps/cli/posture.js', 'backup', join(image.root, '/backup/posture')];
    const { code, output } = await containers.get('gateway')!.exec(backup);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('backup') });
  }, 60_000);

  it('carry the command line', async () => {
    const { code, output } = await containers.get('gateway')!.exec(['node', 'apps/cli/posture.js', '--help']);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('upload') });
  });
});
