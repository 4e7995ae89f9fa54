// npm run api-report: writes the reports of the public surface to api/. With --check it compares them with the built
// project and writes nothing.
import 'reflect-metadata';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { previewDocument } from '../dist/apps/gateway/src/docs/preview-document.js';
import { changeSchemas, intakeSchemas } from '../dist/libs/contracts/src/index.js';
import { clientReport } from './api/client-report.mjs';
import { eventSchemasReport } from './api/event-schemas-report.mjs';
import { openApiReport } from './api/openapi-report.mjs';
import { compareSurfaces } from './api/surface.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const json = (value) => `${JSON.stringify(value, null, 1)}\n`;
const reports = {
  'api/client.md': clientReport(root),
  'api/event-schemas.json': json(eventSchemasReport(intakeSchemas(), changeSchemas())),
  'api/openapi.json': json(openApiReport(await previewDocument())),
};
const stored = Object.fromEntries(
  Object.keys(reports).map((path) => [
    path,
    existsSync(root + path) ? readFileSync(root + path, 'utf8') : '',
  ]),
);

if (!process.argv.includes('--check')) {
  mkdirSync(`${root}api`, { recursive: true });
  for (const [path, text] of Object.entries(reports)) writeFileSync(root + path, text);
} else {
  const stale = Object.keys(reports).filter((path) => stored[path] !== reports[path]);
  if (stale.length > 0) {
    console.error(`The public surface differs from ${stale.join(', ')}.`);
    if (Object.values(stored).every((text) => text !== '')) {
      for (const { kind, where, what } of compareSurfaces(stored, reports))
        console.error(`  ${kind}: ${where}: ${what}`);
    }
    console.error('If you intend the change, run npm run api-report and commit api/.');
    process.exitCode = 1;
  }
}
