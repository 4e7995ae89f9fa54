// npm run test:long: all of npm test, with complete property runs, large logs and every request that schemathesis
// generates. Takes a night.
import { runJest } from './jest.mjs';

process.exit(runJest(process.argv.slice(2), { TEST_LONG: 'true' }));
