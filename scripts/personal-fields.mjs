// npm run personal-fields: writes the tables of personal fields to docs/privacy.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from './privacy/personal-fields.mjs';

const page = new URL('../docs/privacy.md', import.meta.url);
writeFileSync(page, withTables(readFileSync(page, 'utf8')));
