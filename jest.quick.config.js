import everything from './jest.config.js';
import { SWC_OPTIONS } from './test/support/native/swc-options.mjs';

/** Pure code: domain, contracts, reading and converting. What asks a server or a database fails here. */
const FOLDERS = [
  'libs/(catalogue|changes|config|contracts|domain|integrations|publish|uploads|webhooks)/',
  'apps/cli/src/convert/',
];
/** They take long, or ask a database after all. */
const LEFT_OUT = ['libs/integrations/src/memory', 'apps/cli/src/convert/convert-upload'];

/** `npm run test:quick`: what runs at every save, by Jest's own module loader, which reads again what has changed. */
export default {
  roots: everything.roots,
  testRegex: FOLDERS.map((folder) => `/${folder}.*\\.spec\\.ts$`),
  testPathIgnorePatterns: ['/node_modules/', ...LEFT_OUT],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', SWC_OPTIONS] },
  reporters: everything.reporters,
  maxWorkers: everything.maxWorkers,
  testTimeout: everything.testTimeout,
};
