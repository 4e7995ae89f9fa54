import 'reflect-metadata';
import { runProgram } from '#libs/program';
import { startProjector } from './start-projector.ts';

await runProgram({
  mayEmbed: false,
  start: startProjector,
  onStarted: (url) => process.stdout.write(`Projector on ${url}\n`),
});
