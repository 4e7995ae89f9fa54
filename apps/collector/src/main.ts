import 'reflect-metadata';
import { runProgram, startWorker } from '#libs/program';
import { collectorModule } from './collector.module.ts';

await runProgram({
  name: 'collector',
  allowEmbeddedDatabase: false,
  start: (program) => startWorker(program, collectorModule(program)),
  onStarted: (url) => process.stdout.write(`Collector on ${url}\n`),
});
