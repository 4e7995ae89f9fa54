import { existsSync } from 'node:fs';
import { changeSchemas, intakeSchemas } from '#libs/contracts';

export interface ReleasedSchema {
  id: number;
  /** Versions of one name follow each other. */
  name: string;
  schema: object;
}

/** Every schema of `schemas/ids.json`, complete. */
export const releasedSchemas = (): ReleasedSchema[] => [
  ...intakeSchemas().map(({ id, type, schema }) => ({ id, name: type, schema })),
  ...changeSchemas().map(({ id, subject, schema }) => ({ id, name: subject, schema })),
];

/** Path of a schema as it was released. */
export const frozenFile = (id: number): URL => new URL(`schemas/${id}.avsc`, import.meta.url);

export const isFrozen = ({ id }: ReleasedSchema): boolean => existsSync(frozenFile(id));
