import 'reflect-metadata';
import { runProgram, SCORER_GROUP, startConsumer } from '#libs/program';
import { ScorerModule } from './scorer.module.ts';

await runProgram({
  mayEmbed: false,
  start: (program) => startConsumer(program, ScorerModule, SCORER_GROUP),
  onStarted: (url) => process.stdout.write(`Scorer on ${url}\n`),
});
