import { randomUUID } from 'node:crypto';
import type { SubjectKey } from './sealed-text.ts';
import { newDataKey } from './siv-text.ts';

/** A new subject, with a random id and key. */
export const newSubjectKey = (): SubjectKey => ({
  subject: Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url'),
  key: newDataKey(),
});
