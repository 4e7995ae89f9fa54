import { homedir } from 'node:os';
import { join } from 'node:path';

/** Downloads of tests and development, kept for all clones of a user. Each one is named after its content. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'posture');
