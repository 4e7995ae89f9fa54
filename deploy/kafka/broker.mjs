// Apache Kafka in KRaft mode on this machine, for development and tests: one node, or three.
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { classArchive } from './class-archive.mjs';
import { freePorts } from './free-ports.mjs';
import { brokerJars } from './jars.mjs';

export { whyNoBroker } from './jars.mjs';

const run = promisify(execFile);
const LOGGING = fileURLToPath(new URL('./log4j2.properties', import.meta.url));
const START_MS_MAX = 180_000;
/** Then a node is killed: while it has no quorum, an orderly stop would wait for ever. */
const STOP_MS_MAX = 20_000;
const OUTPUT_CHARACTERS_MAX = 20_000;
/** Identifies the cluster in its own folder only. */
const CLUSTER_ID = 'cG9zdHVyZS1rYWZrYS1kZQ';

/**
 * Starts a cluster with persistent data: a later start with the same folder has the same topics and ports.
 * @param {{directory: string, nodes?: number, port?: number, settings?: Record<string, string>}} options
 *   `port`: of the first node; default 0: any free port. `settings`: of the broker; override the defaults below.
 */
export async function startKafka({ directory, nodes = 1, port = 0, settings = {} }) {
  const folder = resolve(directory);
  await mkdir(folder, { recursive: true });
  const plan = await planOf(folder, nodes, port);
  const jars = await brokerJars();
  const classes = await classArchive(jars, (options) => runOnce(jars, options));
  const members = plan.map((_, index) => new KafkaNode(folder, { jars, classes }, plan, index, settings));
  try {
    await Promise.all(members.map((node) => node.start()));
  } catch (error) {
    await Promise.all(members.map((node) => node.kill()));
    throw error;
  }
  return {
    brokers: plan.map((node) => `127.0.0.1:${node.port}`).join(','),
    nodes: members,
    stop: () => Promise.all(members.map((node) => node.stop())).then(() => undefined),
    kill: () => Promise.all(members.map((node) => node.kill())).then(() => undefined),
  };
}

/** Starts a node on new data and stops it in order. */
async function runOnce(jars, classes) {
  const folder = await mkdtemp(join(tmpdir(), 'posture-kafka-classes-'));
  try {
    const plan = await planOf(folder, 1, 0);
    const node = new KafkaNode(folder, { jars, classes }, plan, 0, {});
    await node.start();
    await node.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Stores the ports in the folder: clients must find a restarted node at the same address. */
async function planOf(folder, nodes, port) {
  const file = join(folder, 'ports.json');
  const kept = existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : undefined;
  if (kept?.length === nodes && (port === 0 || kept[0].port === port)) return kept;
  if (kept && kept.length !== nodes) throw new Error(`${folder} contains ${kept.length} node(s), not ${nodes}`);
  const free = await freePorts(2 * nodes);
  const plan = Array.from({ length: nodes }, (_, i) => ({ port: free[2 * i], controllerPort: free[2 * i + 1] }));
  if (port !== 0) plan[0].port = port;
  await writeFile(file, JSON.stringify(plan));
  return plan;
}

class KafkaNode {
  #folder;
  #program;
  #plan;
  #index;
  #settings;
  #child;
  #output = '';

  /** @param program `jars`: their folder; `classes`: options of Java for the archive of classes */
  constructor(folder, program, plan, index, settings) {
    this.#folder = join(folder, `node-${index + 1}`);
    this.#program = program;
    this.#plan = plan;
    this.#index = index;
    this.#settings = settings;
  }

  get address() {
    return `127.0.0.1:${this.#plan[this.#index].port}`;
  }

  /** Process id; undefined before the first start. */
  get pid() {
    return this.#child?.pid;
  }

  /** The end of its output since the last start. */
  get output() {
    return this.#output;
  }

  /** Resolves when the node serves requests; after `kill` or `stop` it starts again on its data. */
  async start() {
    const properties = join(this.#folder, 'server.properties');
    await mkdir(this.#folder, { recursive: true });
    await writeFile(properties, this.#properties());
    if (!existsSync(join(this.#folder, 'data', 'meta.properties'))) await this.#format(properties);
    this.#output = '';
    this.#child = spawn('java', [...this.#java('-Xmx512m'), 'kafka.Kafka', properties], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const child = this.#child;
    const dieWithUs = () => child.kill('SIGKILL');
    process.once('exit', dieWithUs);
    child.once('close', () => process.removeListener('exit', dieWithUs));
    await this.#hasStarted(child);
  }

  /** Orderly stop. Resolves when the process has ended. */
  stop() {
    return this.#end('SIGTERM');
  }

  /** Simulates a crash: nothing is flushed or closed. */
  kill() {
    return this.#end('SIGKILL');
  }

  /**
   * Formats the folder of its data. The result depends on no port and no path, so it is kept beside the jars for each node:
   * Java's program for it takes a second of CPU. Settings may change the result.
   */
  async #format(properties) {
    const data = join(this.#folder, 'data');
    const kept = join(this.#program.jars, `formatted-${this.#index + 1}-of-${this.#plan.length}`);
    const isUsual = Object.keys(this.#settings).length === 0;
    const mark = `${process.pid}-${randomUUID()}`;
    if (isUsual && existsSync(kept) && !existsSync(data)) {
      await cp(kept, `${data}-${mark}`, { recursive: true });
      await rename(`${data}-${mark}`, data);
      return;
    }
    const storage = ['format', '-t', CLUSTER_ID, '-c', properties];
    await run('java', [...this.#java('-Xmx128m'), 'kafka.tools.StorageTool', ...storage]);
    if (!isUsual || existsSync(kept)) return;
    const partial = `${kept}-${mark}`;
    await cp(data, partial, { recursive: true });
    // Another process was first; its result serves as well.
    await rename(partial, kept).catch(() => rm(partial, { recursive: true }));
  }

  async #end(signal) {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'close');
    child.kill(signal);
    const tooLong = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    await ended;
    clearTimeout(tooLong);
  }

  #hasStarted(child) {
    return new Promise((resolve, reject) => {
      const fail = (why) => {
        clearTimeout(tooLong);
        child.kill('SIGKILL');
        reject(new Error(`Kafka ${why}:\n${this.#output}`));
      };
      const tooLong = setTimeout(() => fail(`did not start within ${START_MS_MAX} ms`), START_MS_MAX);
      child.once('error', (error) => fail(`could not be run (${error.message})`));
      child.once('close', (code) => fail(`ended with ${code}`));
      const read = (text) => {
        this.#output = (this.#output + text).slice(-OUTPUT_CHARACTERS_MAX);
        if (!this.#output.includes('Kafka Server started')) return;
        clearTimeout(tooLong);
        resolve();
      };
      child.stdout.setEncoding('utf8').on('data', read);
      child.stderr.setEncoding('utf8').on('data', read);
    });
  }

  #java(heap) {
    const { jars, classes } = this.#program;
    return [heap, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...classes, `-Dlog4j2.configurationFile=${LOGGING}`, '-cp', join(jars, '*')];
  }

  #properties() {
    const { port, controllerPort } = this.#plan[this.#index];
    const id = this.#index + 1;
    const voters = this.#plan.map((node, i) => `${i + 1}@127.0.0.1:${node.controllerPort}`);
    const replication = Math.min(3, this.#plan.length);
    const properties = {
      'process.roles': 'broker,controller',
      'node.id': id,
      'controller.quorum.voters': voters.join(','),
      listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
      'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
      'controller.listener.names': 'CONTROLLER',
      'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      'log.dirs': join(this.#folder, 'data'),
      // Only openTopics creates topics, with their settings.
      'auto.create.topics.enable': false,
      'offsets.topic.num.partitions': 4,
      'offsets.topic.replication.factor': replication,
      'transaction.state.log.num.partitions': 4,
      'transaction.state.log.replication.factor': replication,
      'transaction.state.log.min.isr': Math.min(2, replication),
      'share.coordinator.state.topic.replication.factor': replication,
      'share.coordinator.state.topic.min.isr': Math.min(2, replication),
      'group.initial.rebalance.delay.ms': 0,
      // A killed node can register again only after its previous session has expired.
      'broker.session.timeout.ms': 4_000,
      'broker.heartbeat.interval.ms': 500,
      ...this.#settings,
    };
    return Object.entries(properties)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('');
  }
}
