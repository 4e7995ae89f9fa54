import type { Database } from '#libs/database';
import type { ChildProgram, ProgramToStart } from './child-program.ts';
import type { Command, FinishedCommand } from './command.ts';
import type { KafkaTopics } from './kafka-topics.ts';
import type { Watched } from './process-use.ts';

/** A Kafka, a PostgreSQL and a folder of a benchmark's own: what both of its sides run on, one after the other. */
export interface BenchSite {
  /** For files; goes with the site. */
  folder: string;
  brokers: string;
  topics: KafkaTopics;
  /** On the server's own database. */
  server: Database;
  /** Kafka and PostgreSQL. */
  engines: Watched[];
  /** An empty database that was migrated; with everything before it written to disk. */
  newDatabase(name: string): Promise<SiteDatabase>;
  /** Starts a program that the site ends where the benchmark does not; profiled where that was asked for. */
  start(program: ProgramToStart): Promise<ChildProgram>;
  /** Runs a program to its end; profiled where that was asked for. */
  run(command: Command): Promise<FinishedCommand>;
}

export interface SiteDatabase {
  url: string;
  database: Database;
  drop(): Promise<void>;
}
