import { once } from 'node:events';
import { createServer } from 'node:net';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import type { ComposeFile } from './compose-file.ts';

/** Not settings of the broker, but of its start. */
const OF_THE_START = new Set(['KAFKA_HEAP_OPTS']);

/** The settings that the image apache/kafka makes of its environment: KAFKA_LOG_DIRS is log.dirs. */
export const brokerSettings = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => name.startsWith('KAFKA_') && !OF_THE_START.has(name))
      .map(([name, value]) => [name.slice('KAFKA_'.length).toLowerCase().replaceAll('_', '.'), value]),
  );

export interface StartedKafkaService {
  cluster: KafkaCluster;
  /** Its address for the programs, as KAFKA_BROKERS. */
  internal: string;
  /** Its address for the tools of this machine. */
  host: string;
  /** A text of docker-compose.yml with the ports of this machine. */
  here: (text: string) => string;
}

/** A broker with the settings of docker-compose.yml, on free ports and in a folder of this machine. */
export async function startKafkaService(
  { services }: ComposeFile,
  directory: string,
): Promise<StartedKafkaService> {
  const [internal, controller, host] = await freePorts(3);
  const ports: Record<string, string> = { 9092: `${internal}`, 9093: `${controller}`, 9094: `${host}` };
  const here = (text: string) =>
    text
      .replaceAll(/(?<=:)909[234]\b|(?<=\/)909[234]$/g, (port) => ports[port]!)
      .replaceAll(/\b0\.0\.0\.0\b|\bkafka(?=:\d)/g, '127.0.0.1');
  const { 'log.dirs': _inTheVolume, ...given } = brokerSettings(services.kafka!.environment!);
  const settings = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, here(value)]));
  const cluster = await startKafka({ directory, port: internal!, settings });
  return { cluster, internal: `127.0.0.1:${internal}`, host: `127.0.0.1:${host}`, here };
}

/** Free ports of this machine. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
