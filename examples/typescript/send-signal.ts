// Sends one signal. Its format is schemas/signal.schema.json, and `Schemas['Signal']` in TypeScript.
import { readFile } from 'node:fs/promises';
import { ApiError, type Schemas } from '@risk-posture/client';
import { args, posture } from './connect.js';

const [file] = args('SIGNAL.json');
const signal: Schemas['Signal'] = JSON.parse(await readFile(file!, 'utf8'));
try {
  const { uploadId } = await posture.sendSignal(signal);
  // Now the signal is stored in the log and survives a crash. Folding it into assets and findings takes milliseconds.
  const { outcome } = await posture.waitUntilFolded(uploadId);
  console.log(
    `${uploadId}: ${outcome.created} created, ${outcome.updated} updated, ${outcome.unchanged} unchanged`,
  );
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  // For a malformed signal, the error lists every invalid field.
  console.error(error.message);
  for (const { field, message } of error.problems) console.error(`  ${field}: ${message}`);
  process.exitCode = 1;
}
