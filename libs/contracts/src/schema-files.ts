import { readFileSync } from 'node:fs';
import type { IntakePayload } from '#libs/domain';
import { projectFile } from '#libs/project-files';

/** `schemas/ids.json`: which schema has which id, for ever. */
export interface SchemaIds {
  /** Files of `schemas/intake` that the others there refer to, in the order of reference. */
  parts: string[];
  intake: { id: number; type: IntakePayload['type']; file: string }[];
  /** Versions of a subject are in the order of their release. */
  changes: {
    id: number;
    subject: string;
    version: number;
    kind: 'finding' | 'asset' | 'score';
    file: string;
  }[];
}

/** A JSON file of `schemas/`, by its path there. */
export const readSchemaFile = (path: string) =>
  JSON.parse(readFileSync(projectFile(`schemas/${path}`), 'utf8'));

export const schemaIds: SchemaIds = readSchemaFile('ids.json');
