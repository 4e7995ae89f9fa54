// Uploads a ZIP of signals (one per *.json, 5 MB at most) and waits until it is processed.
import { createReadStream } from 'node:fs';
import { args, posture } from './connect.js';

const [file] = args('SIGNALS.zip');
// One malformed signal rejects the whole ZIP, unless `skipInvalid`. If it is sent again after a cut connection, it
// counts once, because every upload has its own key.
const upload = await posture.uploadZip(createReadStream(file!));
console.log(`${upload.uploadId}: ${upload.accepted} signals accepted`);

const { outcome } = await posture.waitUntilFolded(upload, { timeoutMs: 120_000 });
console.log(
  `${outcome.created} findings created, ${outcome.updated} updated, ${outcome.unchanged} unchanged`,
);
