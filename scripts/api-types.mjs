// Writes the client's types of the HTTP interface, which the console uses too, from the OpenAPI document of the built
// gateway and the schemas of changes, and the filters of query texts for the console; with --check it only reports
// whether they are up to date.
import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { previewDocument } from '../dist/apps/gateway/src/docs/preview-document.js';
import { describedTerms } from '../dist/apps/gateway/src/query-terms/described-terms.js';
import { changeSchemas } from './change-schemas.mjs';

const document = await previewDocument();
Object.assign(document.components.schemas, changeSchemas());
const made = [
  [
    new URL('../client/src/schema.ts', import.meta.url),
    COMMENT_HEADER + astToString(await openapiTS(document)),
  ],
  [
    new URL('../apps/console/src/api/query-terms.json', import.meta.url),
    `${JSON.stringify(describedTerms(), null, 2)}\n`,
  ],
];
for (const [file, text] of made) {
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(
      `${fileURLToPath(file)} is older than the routes or the schemas of changes: npm run api-types`,
    );
    process.exitCode = 1;
  }
}
