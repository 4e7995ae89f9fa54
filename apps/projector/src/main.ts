import 'reflect-metadata';
import { PROJECTOR_GROUP, runProgram, startConsumer } from '#libs/program';
import { ProjectorModule } from './projector.module.ts';

await runProgram({
  mayEmbed: false,
  start: (program) => startConsumer(program, ProjectorModule, PROJECTOR_GROUP),
  onStarted: (url) => process.stdout.write(`Projector on ${url}\n`),
});
