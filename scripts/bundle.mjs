// Bundles the compiled programs: loading their two thousand modules one by one takes three seconds of CPU at each start.
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const PROGRAMS = ['standalone', 'gateway', 'projector', 'scorer', 'collector', 'simulators'];

/** Packages of many small modules; the others are loaded from node_modules as they are. */
const BUNDLED = /^(@nestjs\/|es-toolkit|kysely)/;
const isPackage = (id) => /^[@\w]/.test(id) && !/^[A-Z]:/i.test(id);

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input: {
    ...Object.fromEntries(PROGRAMS.map((name) => [name, `dist/apps/${name}/src/main.js`])),
    posture: 'dist/apps/cli/src/main.js',
    'report-worker': 'dist/apps/gateway/src/reports/report-worker.js',
    'zip-worker': 'dist/apps/gateway/src/signals/zip/zip-worker.js',
  },
  external: (id) => id.startsWith('node:') || (isPackage(id) && !BUNDLED.test(id)),
  // Nest tries to load optional packages that are not installed, and continues without them.
  onLog: (level, log, next) => (log.code === 'UNRESOLVED_IMPORT' ? undefined : next(level, log)),
});
await bundle.write({
  dir: `${root}/dist/programs`,
  cleanDir: true,
  format: 'esm',
  sourcemap: true,
  chunkFileNames: 'shared-[hash].js',
});
