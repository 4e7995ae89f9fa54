// npm run test:long: all that npm test does, with whole property runs, large logs and every request that schemathesis
// thinks of. For a night.
import { runJest } from './jest.mjs';

process.exit(runJest(process.argv.slice(2), { TEST_LONG: 'true' }));
