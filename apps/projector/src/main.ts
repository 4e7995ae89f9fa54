import 'reflect-metadata';
import { PROJECTORS, runProgram, startConsumer } from '#libs/program';
import { ProjectorModule } from './projector.module.ts';

await runProgram({
  name: 'projector',
  allowEmbeddedDatabase: false,
  start: (program) => startConsumer(program, ProjectorModule, PROJECTORS),
  onStarted: (url) => process.stdout.write(`Projector on ${url}\n`),
});
