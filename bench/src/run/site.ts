import type { Database } from '#libs/database';
import type { ChildProgram, ProgramToStart } from './child-program.ts';
import type { Command, FinishedCommand } from './command.ts';
import type { KafkaTopics } from './kafka-topics.ts';
import type { Watched } from './process-use.ts';

/** A separate Kafka, PostgreSQL and folder of a benchmark: both of its sides run on it, one after the other. */
export interface BenchSite {
  /** For files; removed with the site, unless that is kept. */
  folder: string;
  brokers: string;
  topics: KafkaTopics;
  /** Connection to the default database of the server. */
  server: Database;
  /** Kafka and PostgreSQL. */
  engines: Watched[];
  /** Creates an empty, migrated database, and writes all earlier changes to disk. */
  newDatabase(name: string): Promise<SiteDatabase>;
  /** The same, unless the kept site of an interrupted run has it. */
  keptDatabase(name: string): Promise<SiteDatabase>;
  /** Starts a program; closing the site stops it. Profiled if requested. */
  start(program: ProgramToStart): Promise<ChildProgram>;
  /** Runs a program to its end. Profiled if requested. */
  run(command: Command): Promise<FinishedCommand>;
}

export interface SiteDatabase {
  url: string;
  database: Database;
  drop(): Promise<void>;
}
