#!/usr/bin/env node
// Starts the built command line; prints what to do if nothing is built yet.
import { existsSync } from 'node:fs';

const built = new URL('../../dist/programs/posture.js', import.meta.url);
if (existsSync(built)) {
  await import(built.href);
} else {
  console.error('posture is not built yet: run npm install && npm run build, then try again.');
  process.exitCode = 2;
}
