import { INTAKE_TOPIC } from '#libs/intake';
import { connectKafka } from '../../libs/event-log/src/kafka/connect-kafka.ts';
import { type Fault, pick } from './fault.ts';
import type { Load } from './load.ts';
import { PAUSES } from './pauses.ts';
import { SHIFTED_CLOCKS } from './shifted-clocks.ts';
import type { ProgramName, Site } from './site.ts';

/** Uploads that are acknowledged while something is down that they do not need. */
const ACKNOWLEDGED_MEANWHILE = 3;

function moreAcknowledged({ acknowledged }: Load): () => boolean {
  const goal = acknowledged.length + ACKNOWLEDGED_MEANWHILE;
  return () => acknowledged.length >= goal;
}

const killing = (name: string, programs: readonly ProgramName[]): Fault => ({
  name,
  strike: async (site, random) => {
    const program = pick(programs, random);
    await site.killProgram(program);
    return () => site.startProgram(program);
  },
});

const broker: Fault = {
  name: 'broker',
  strike: async (site, random) => {
    const node = pick(site.kafka.nodes, random);
    await node.kill();
    return async () => {
      // An orchestrator starts programs at any time: none waits for a broker that others replace.
      if (site.kafka.nodes.length > 1) {
        await site.killProgram('projector 2');
        await site.startProgram('projector 2');
      }
      await node.start();
    };
  },
  // The others have all acknowledged records, and lead.
  meanwhile: (site, load) => (site.kafka.nodes.length === 1 ? () => true : moreAcknowledged(load)),
};

const postgres: Fault = {
  name: 'PostgreSQL',
  strike: async (site) => {
    await site.killPostgres();
    return () => site.restartPostgres();
  },
  // The log accepts uploads without a key, and the fold will process them later; the others wait (503).
  // With sealed texts they wait too, when the keys in memory have expired.
  meanwhile: (site, load) => (site.isSealed ? () => true : moreAcknowledged(load)),
};

const ALL: readonly Fault[] = [
  broker,
  killing('gateway', ['gateway']),
  killing('projector', ['projector', 'projector 2']),
  killing('scorer', ['scorer']),
  postgres,
  ...PAUSES,
  ...SHIFTED_CLOCKS,
];

export const FAULTS: readonly Fault[] = ALL.filter(({ whyNot }) => whyNot === undefined);

/** The faults that the rounds skip on this machine, and why: a sentence each. */
export const LEFT_OUT: readonly string[] = ALL.flatMap(({ name, whyNot }) =>
  whyNot === undefined ? [] : [`left out: ${name} (${whyNot})`],
);

/** Broker that leads each partition of the intake. */
export async function leadersOf({ kafka }: Site): Promise<number[]> {
  const admin = connectKafka({ brokers: kafka.brokers.split(',') }).admin();
  try {
    await admin.connect();
    const { topics } = await admin.fetchTopicMetadata({ topics: [INTAKE_TOPIC] });
    const partitions = [...topics[0]!.partitions].sort((a, b) => a.partitionId - b.partitionId);
    return partitions.map(({ leader }) => leader);
  } finally {
    await admin.disconnect();
  }
}
