import { isReaderGone } from './is-reader-gone.ts';
import { runPosture } from './posture.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (!isReaderGone(error)) throw error;
  });
}

process.exitCode = await runPosture(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
});
