import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, NPM_PROGRAMS, startEmbeddedPostgres } from '#libs/database';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { freePorts } from '../../deploy/kafka/free-ports.mjs';
import { FakeClock, whyNoFakeClock } from '../support/fake-clock.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';

export const PARTITIONS = 6;

export type ProgramName = 'gateway' | 'projector' | 'projector 2' | 'scorer';

const PROGRAMS: readonly ProgramName[] = ['gateway', 'projector', 'projector 2', 'scorer'];

const LOG_CHARACTERS = 4_000;

/** Leadership returns to the preferred replicas soon after a node is back: a leader move without a crash. */
const MOVE_LEADERS = {
  'auto.leader.rebalance.enable': 'true',
  'leader.imbalance.check.interval.seconds': '3',
  'leader.imbalance.per.broker.percentage': '0',
};

/** Everything that runs in production, on this machine: brokers, PostgreSQL, and each program as a process. */
export class Site {
  private readonly programs = new Map<ProgramName, StartedProgram>();
  /** Of the programs, if this machine can change them. */
  private readonly clocks = new Map<ProgramName, FakeClock>();

  private constructor(
    readonly directory: string,
    readonly isSealed: boolean,
    readonly kafka: KafkaCluster,
    private postgres: EmbeddedPostgres,
    /** Of the programs, in their order: clients find a gateway that was started again. */
    private readonly ports: number[],
  ) {}

  static async start(nodes: number, isSealed = false): Promise<Site> {
    const directory = await temporaryDataDir();
    const kafka = await startKafka({ directory: join(directory, 'kafka'), nodes, settings: MOVE_LEADERS });
    const [databasePort, ...ports] = await freePorts(1 + PROGRAMS.length);
    const site = new Site(directory, isSealed, kafka, await startPostgres(directory, databasePort!), ports);
    try {
      for (const name of PROGRAMS) {
        if (!whyNoFakeClock()) site.clocks.set(name, await FakeClock.at(directory, '+0', name));
        await site.startProgram(name);
      }
      return site;
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  get databaseUrl(): string {
    return this.postgres.url;
  }

  get url(): string {
    return this.program('gateway').url;
  }

  program(name: ProgramName): StartedProgram {
    return this.programs.get(name)!;
  }

  async startProgram(name: ProgramName): Promise<void> {
    const program = await StartedProgram.start(name.split(' ')[0]!, {
      DATABASE_URL: this.postgres.url,
      KAFKA_BROKERS: this.kafka.brokers,
      LOG_PARTITIONS: `${PARTITIONS}`,
      DATA_DIR: this.directory,
      ...(this.isSealed && {
        SEAL_PERSONAL_TEXTS: 'true',
        ERASURE_LIST: join(this.directory, 'erasures.txt'),
      }),
      PORT: `${this.ports[PROGRAMS.indexOf(name)]}`,
      ...ADMIN_ENV,
      ...this.clocks.get(name)?.env,
    });
    this.programs.set(name, program);
  }

  /** @param offset from the true time, such as `+2h` */
  async setClock(name: ProgramName, offset: string): Promise<void> {
    await this.clocks.get(name)!.set(offset);
  }

  async killProgram(name: ProgramName): Promise<void> {
    await this.program(name).kill();
  }

  /** With all of its sessions, as when the machine of the database dies. */
  async killPostgres(): Promise<void> {
    process.kill(-(await this.postgresPid()), 'SIGKILL');
    await this.postgres.ended;
    await this.postgres.stop();
  }

  /** Of its first process, which has started all others. */
  async postgresPid(): Promise<number> {
    const [pid] = (await readFile(join(this.directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    return Number(pid);
  }

  async restartPostgres(): Promise<void> {
    this.postgres = await startPostgres(this.directory, Number(new URL(this.postgres.url).port));
  }

  /** All that the programs said since they were started last. */
  said(): string {
    return [...this.programs.values()].map(({ log }) => log).join('');
  }

  /** Programs that have ended by themselves, and the last that they said. */
  ended(): string[] {
    return [...this.programs].flatMap(([name, program]) =>
      program.hasEnded ? [`${name}: ${program.log.slice(-LOG_CHARACTERS)}`] : [],
    );
  }

  /** The last that each program said. */
  logs(): string {
    return [...this.programs]
      .map(([name, { log }]) => `--- ${name}\n${log.slice(-LOG_CHARACTERS)}`)
      .join('\n');
  }

  /** Returns the programs' exit codes. */
  async stop(): Promise<(number | null)[]> {
    const codes = await Promise.all([...this.programs.values()].map((program) => program.stop()));
    await this.kafka.kill();
    await this.postgres.stop();
    await rm(this.directory, { recursive: true, force: true });
    return codes;
  }
}

const startPostgres = (directory: string, port: number): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    log: () => {},
    port,
    postgresBin: NPM_PROGRAMS,
  });
