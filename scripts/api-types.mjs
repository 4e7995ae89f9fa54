// Writes the client's types of the HTTP interface, which the console uses too, from the OpenAPI document of the built
// gateway and the schemas of changes; with --check it only reports whether they are up to date.
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { previewDocument } from '../dist/apps/gateway/src/docs/preview-document.js';
import { changeSchemas } from './change-schemas.mjs';

const file = fileURLToPath(new URL('../client/src/schema.ts', import.meta.url));
const document = await previewDocument();
Object.assign(document.components.schemas, changeSchemas());
const types = COMMENT_HEADER + astToString(await openapiTS(document));
if (!process.argv.includes('--check')) writeFileSync(file, types);
else if (readFileSync(file, 'utf8') !== types) {
  console.error('client/src/schema.ts is older than the routes or the schemas of changes: npm run api-types');
  process.exit(1);
}
