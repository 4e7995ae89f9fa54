import { runPosture } from './posture.ts';

process.exitCode = await runPosture(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
});
