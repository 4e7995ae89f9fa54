import type { Type } from '@nestjs/common';
import type { EventLog } from '#libs/event-log';
import type { ConsumerGroup } from './consumer-groups.ts';
import { consumerServer } from './consumer-server.ts';
import { assertNoneStopped, commonChecks } from './health/readiness.ts';
import type { Program } from './open-program.ts';
import { createWorker } from './start-worker.ts';

/**
 * A separate program that follows the log by the controllers of `module`, and serves only `/health/*` and `/metrics`.
 * @param group whose members share the partitions
 * @returns its address
 */
export async function startConsumer(program: Program, module: Type, group: ConsumerGroup): Promise<string> {
  const { config, database, log, trustedClock } = program;
  const strategy = consumerServer(program, group);
  const app = await createWorker(program, module, {
    needed: ['log', 'database', 'clock', 'partitions', 'outputs'],
    checks: {
      ...commonChecks(log, database.db, trustedClock),
      partitions: async () => assertNoneStopped([strategy]),
      // A topic that was deleted is noticed before there is something to publish.
      outputs: () => Promise.all(group.outputs.map((topic) => assertThere(log, topic))),
    },
  });
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(config.port, config.host);
  return app.getUrl();
}

async function assertThere(log: EventLog, topic: string): Promise<void> {
  try {
    await log.ends(topic);
  } catch (error) {
    throw new Error(`${topic}: ${(error as Error).message}`, { cause: error });
  }
}
