import 'reflect-metadata';
import { runProgram } from '#libs/program';
import { banner } from './banner.ts';
import { startAll } from './start-all.ts';

await runProgram({
  name: 'standalone',
  allowEmbeddedDatabase: true,
  start: startAll,
  onStarted: (started) => process.stdout.write(banner(started)),
});
