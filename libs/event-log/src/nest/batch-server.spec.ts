import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, type INestMicroservice, Injectable, Module, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { until } from '../../../../test/support/until.ts';
import type { StoredRecord } from '../event-log.ts';
import { PostgresEventLog } from '../postgres/postgres-event-log.ts';
import { batchPattern, OnAssigned, OnBatch, OnRevoked } from './batch-decorators.ts';
import { BatchServer } from './batch-server.ts';

const TOPIC = 'posture.nest';

class FoldBug extends Error {
  override name = 'FoldBug';
}

class AwayError extends Error {
  override name = 'AwayError';
}

/** Like a projector for the log: it keeps its own positions, and tests can inject faults. */
@Injectable()
class Projection {
  /** Calls that fail before the next one succeeds. */
  away = { assigned: 0, batch: 0 };
  readonly positions = new Map<number, number>();
  readonly values: string[] = [];
  readonly revoked: number[] = [];
  /** Partition → number of assignments that were not revoked; in a projector, the number of loops that run for it. */
  readonly held = new Map<number, number>();

  take(partition: number): void {
    this.held.set(partition, (this.held.get(partition) ?? 0) + 1);
  }

  giveBack(partition: number): void {
    this.revoked.push(partition);
    this.held.set(partition, 0);
  }

  start(partition: number): number {
    this.failWhileAway('assigned', partition);
    return this.positions.get(partition) ?? 0;
  }

  /** Only partition 1: the other one may still read what earlier tests have written. */
  private failWhileAway(call: 'assigned' | 'batch', partition: number): void {
    if (partition === 1 && this.away[call]-- > 0) throw new AwayError('the database is away');
  }

  fold(records: StoredRecord[]): number {
    this.failWhileAway('batch', records[0]!.partition);
    if (records.some(({ value }) => value.toString() === 'poison')) throw new FoldBug('cannot fold');
    this.values.push(...records.map(({ value }) => value.toString()));
    const next = records.at(-1)!.offset + 1;
    this.positions.set(records[0]!.partition, next);
    return next;
  }
}

@Controller()
class IntakeConsumer {
  constructor(private readonly projection: Projection) {}

  @OnAssigned(TOPIC)
  async assigned(@Payload() partition: number): Promise<number> {
    const start = this.projection.start(partition);
    this.projection.take(partition);
    return start;
  }

  @OnBatch(TOPIC)
  async batch(@Payload() records: StoredRecord[]): Promise<number> {
    return this.projection.fold(records);
  }

  @OnRevoked(TOPIC)
  revoked(@Payload() partition: number): void {
    this.projection.giveBack(partition);
  }
}

@Module({ controllers: [IntakeConsumer], providers: [Projection] })
class ConsumerModule {}

@Controller()
class WithoutStart {
  @OnBatch(TOPIC)
  batch(): number {
    return 0;
  }
}

@Module({ controllers: [WithoutStart] })
class WithoutStartModule {}

@Controller()
class WithoutAnswer {
  @OnAssigned('posture.unanswered')
  assigned(): number {
    return 0;
  }

  @OnBatch('posture.unanswered')
  batch(@Payload() [record]: StoredRecord[]): number | undefined {
    return record!.partition === 1 ? -1 : undefined;
  }
}

@Module({ controllers: [WithoutAnswer] })
class WithoutAnswerModule {}

describe('BatchServer', () => {
  let database: TestDatabase;
  let log: PostgresEventLog;
  let app: INestMicroservice | undefined;
  let failures: [string, number, Error][];
  beforeAll(async () => {
    database = await testDatabase();
    log = new PostgresEventLog({ url: database.url, partitions: 2 });
  });
  afterEach(() => app?.close());
  afterAll(async () => {
    await log.close();
    await database.drop();
  });

  async function start(module: Type): Promise<INestMicroservice> {
    failures = [];
    const strategy = new BatchServer(log, {
      group: 'test',
      onPartitionFailed: (...failure) => failures.push(failure),
      isTransient: (error) => error instanceof AwayError,
    });
    const testing = await Test.createTestingModule({ imports: [module] }).compile();
    app = testing.createNestMicroservice({ strategy, logger: false });
    await app.listen();
    return app;
  }

  /** Without an application: the handlers are bound to the server as Nest does it. */
  async function follow(topic: string) {
    const handler = { isMended: false, taken: [] as StoredRecord[] };
    const server = new BatchServer(log, { group: 'shared', topics: [topic], onPartitionFailed: () => {} });
    server.addHandler(batchPattern('assigned', topic), async () => 0);
    server.addHandler(batchPattern('batch', topic), async (records: StoredRecord[]) => {
      if (!handler.isMended) throw new FoldBug('cannot fold');
      handler.taken.push(...records);
      return records.at(-1)!.offset + 1;
    });
    await new Promise<void>((resolve, reject) => {
      server.listen((error) => (error ? reject(error) : resolve()));
    });
    return { server, handler };
  }

  const append = (value: string, partition: number, topic = TOPIC) =>
    log.append(topic, [{ key: 'k', value: Buffer.from(value), partition }]);

  it('brings batches to @OnBatch from the offset of @OnAssigned on, and revokes on close', async () => {
    await append('before', 0);
    const { positions, values, revoked } = (await start(ConsumerModule)).get(Projection);
    await append('after', 1);
    await until('both records', () => values.length === 2);
    expect(values.sort()).toEqual(['after', 'before']);
    expect(positions).toEqual(
      new Map([
        [0, 1],
        [1, 1],
      ]),
    );
    await app!.close();
    expect(revoked.sort()).toEqual([0, 1]);
    await append('unheard', 0);
    expect(values).toHaveLength(2);
  });

  it('passes a handler’s own error, unfiltered, and stops only that partition', async () => {
    await append('poison', 0);
    const { values } = (await start(ConsumerModule)).get(Projection);
    await until('the failure', () => failures.length > 0);
    await append('fine', 1);
    await until('the other partition', () => values.includes('fine'));
    expect(failures).toEqual([[TOPIC, 0, expect.any(FoldBug)]]);
    expect(failures[0]![2].message).toBe('cannot fold');
    expect(values).not.toContain('unheard');
  });

  it('retries a transient error and asks again for the offset to start at', async () => {
    const { away, positions, values, held, revoked } = (await start(ConsumerModule)).get(Projection);
    await until('the start', () => positions.has(1));
    Object.assign(away, { batch: 1, assigned: 2 });
    await append('late', 1);
    await until('the record', () => values.includes('late'));
    expect(away).toEqual({ assigned: -1, batch: expect.any(Number) });
    expect([held.get(1), revoked]).toEqual([1, [1]]);
    expect(failures.filter(([, partition]) => partition === 1)).toEqual([]);
    Object.assign(away, { batch: 1_000_000, assigned: 1_000_000 });
    await append('never', 1);
    await until('the failure', () => away.assigned < 1_000_000);
    await app!.close();
    expect(failures.filter(([, partition]) => partition === 1)).toEqual([]);
    expect(held.get(1)).toBe(0);
  });

  it('reports a stopped partition while it is assigned, until the next assignment', async () => {
    const stoppedOf = (server: BatchServer) => new Map(server.stopped).get('posture.shared');
    await append('poison', 1, 'posture.shared');
    const first = await follow('posture.shared');
    await until('the failure', () => stoppedOf(first.server)?.includes(1) ?? false);
    const second = await follow('posture.shared');
    // It takes the other half, and fails there as well.
    await until('the handover', () => stoppedOf(second.server)?.includes(1) ?? false);
    expect(stoppedOf(first.server)).toEqual([]);
    first.handler.isMended = true;
    await second.server.close();
    expect(second.server.stopped).toEqual([]);
    await until('the record', () => first.handler.taken.length === 1);
    expect(stoppedOf(first.server)).toEqual([]);
    await first.server.close();
  });

  it('does not start without a method that returns the start offset', async () => {
    await expect(start(WithoutStartModule)).rejects.toThrow(
      `${TOPIC} has a method with @OnBatch but no method with @OnAssigned`,
    );
  });

  it('stops a partition whose handler answers no offset', async () => {
    await start(WithoutAnswerModule);
    await append('a', 0, 'posture.unanswered');
    await append('b', 1, 'posture.unanswered');
    await until('the failures', () => failures.length > 1);
    expect(failures.sort(([, a], [, b]) => a - b)).toEqual([
      ['posture.unanswered', 0, expect.any(TypeError)],
      ['posture.unanswered', 1, expect.any(TypeError)],
    ]);
  });
});
