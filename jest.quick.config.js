import everything from './jest.config.js';
import { SWC_OPTIONS } from './test/support/native/swc-options.mjs';

/** Pure code: domain, contracts, reading and converting. What asks a server or a database fails here. */
const FOLDERS = [
  'libs/(catalogue|changes|config|contracts|domain|integrations|publish|uploads|webhooks)/',
  'apps/cli/src/convert/',
  'bench/src/',
];
/** Minutes of memory under load. */
const LONG = 'libs/integrations/src/memory\\.spec\\.ts$';

/** `npm run test:quick`: what runs at every save, by Jest's own module loader, which reads again what has changed. */
export default {
  roots: everything.roots,
  testRegex: FOLDERS.map((folder) => `/${folder}.*\\.spec\\.ts$`),
  testPathIgnorePatterns: ['/node_modules/', LONG],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', SWC_OPTIONS] },
  reporters: everything.reporters,
  maxWorkers: everything.maxWorkers,
  testTimeout: everything.testTimeout,
};
