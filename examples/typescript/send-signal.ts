// Sends one signal. Its shape is schemas/signal.schema.json, and `Schemas['Signal']` in TypeScript.
import { readFile } from 'node:fs/promises';
import { ApiError, type Schemas } from '@risk-posture/client';
import { args, posture } from './connect.js';

const [file] = args('SIGNAL.json');
const signal: Schemas['Signal'] = JSON.parse(await readFile(file!, 'utf8'));
try {
  const { uploadId } = await posture.sendSignal(signal);
  // From here on the log holds it, whatever crashes. Folding it into assets and findings takes milliseconds.
  const { outcome } = await posture.waitUntilFolded(uploadId);
  console.log(
    `${uploadId}: ${outcome.created} created, ${outcome.updated} updated, ${outcome.unchanged} unchanged`,
  );
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  // A malformed signal is refused with every place in it that is wrong.
  console.error(error.message);
  for (const { field, message } of error.problems) console.error(`  ${field}: ${message}`);
  process.exitCode = 1;
}
