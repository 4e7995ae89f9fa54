// Preloaded by `node --import`: a process that runs TypeScript from its sources.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
