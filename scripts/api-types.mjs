// Writes the console's types of the HTTP interface, from the OpenAPI document of the built gateway; with --check it
// only says whether they are up to date.
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { previewDocument } from '../dist/apps/gateway/src/docs/preview-document.js';

const file = fileURLToPath(new URL('../apps/console/src/api/schema.d.ts', import.meta.url));
const types = COMMENT_HEADER + astToString(await openapiTS(await previewDocument()));
if (!process.argv.includes('--check')) writeFileSync(file, types);
else if (readFileSync(file, 'utf8') !== types) {
  console.error('apps/console/src/api/schema.d.ts is older than the routes: npm run api-types');
  process.exit(1);
}
