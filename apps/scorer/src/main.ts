import 'reflect-metadata';
import { runProgram, SCORERS, startConsumer } from '#libs/program';
import { ScorerModule } from './scorer.module.ts';

await runProgram({
  name: 'scorer',
  allowEmbeddedDatabase: false,
  start: (program) => startConsumer(program, ScorerModule, SCORERS),
  onStarted: (url) => process.stdout.write(`Scorer on ${url}\n`),
});
