// npm run drill -- overload|connections|abuse: the long form of test/abuse, with its figures.
import { runJest } from './jest.mjs';

const DRILLS = ['overload', 'connections', 'abuse'];
const USAGE = `npm run drill -- ${DRILLS.join('|')}
  overload     five minutes at twice the capacity that is measured before
  connections  slow clients, 10,000 idle connections, clients that read no responses
  abuse        hostile JSON, ZIPs and texts, all of them while slow clients occupy connections`;

const [drill, ...more] = process.argv.slice(2);
if (drill === '--help') stopWith(0, USAGE);
if (!DRILLS.includes(drill) || more.length > 0) stopWith(2, USAGE);

function stopWith(code, text) {
  (code === 0 ? console.log : console.error)(text);
  process.exit(code);
}

const only = ['--testNamePattern', `^(${drill}|after all of it)`];
process.exit(runJest(['test/abuse/abuse.spec.ts', ...only], { DRILL: 'long' }));
