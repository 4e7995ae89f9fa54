import everything from './jest.config.js';

/** Pure code: domain, contracts, reading, converting and benchmarks. What asks a server or a database fails here. */
const FOLDERS = [
  'libs/(back-off|catalogue|changes|config|contracts|domain|fold|integrations|publish|readers|reports|sample-data|sealing|signal-zips|sorted-runs|uploads|webhooks)/',
  'apps/cli/src/convert/',
  'bench/src/',
];
/** They take long, or ask a database after all. */
const LEFT_OUT = [
  'bench/src/baseline/baseline',
  'libs/changes/src/history-rows',
  'libs/integrations/src/memory',
  'libs/webhooks/src/(webhook-secrets|webhook-delivery|delivery-store|tickets/keep-tickets)',
  'apps/cli/src/convert/convert-upload',
];

/** `npm run test:quick`: what runs at every save. */
export default {
  ...everything,
  testRegex: FOLDERS.map((folder) => `/${folder}.*\\.spec\\.ts$`),
  testPathIgnorePatterns: ['/node_modules/', ...LEFT_OUT],
  globalSetup: undefined,
  globalTeardown: undefined,
};
