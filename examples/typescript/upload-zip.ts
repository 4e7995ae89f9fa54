// Uploads a ZIP of signals (one per *.json, 5 MB at most) and follows it until assets and findings show it.
import { createReadStream } from 'node:fs';
import { args, posture } from './connect.js';

const [file] = args('SIGNALS.zip');
// All or nothing: one malformed signal refuses the ZIP, unless `skipInvalid`. Sent again after a cut connection it
// counts once, as every upload carries a key of its own.
const upload = await posture.uploadZip(createReadStream(file!));
console.log(`${upload.uploadId}: ${upload.accepted} signals accepted`);

const { outcome } = await posture.waitUntilFolded(upload, { timeoutMs: 120_000 });
console.log(
  `${outcome.created} findings created, ${outcome.updated} updated, ${outcome.unchanged} unchanged`,
);
