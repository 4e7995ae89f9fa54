import type { components } from '../api/schema.ts';

/** What a credential or an API token permits. */
export type Scope = components['schemas']['NewSessionDto']['scopes'][number];
