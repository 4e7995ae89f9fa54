import { resolve } from 'node:path';
import type { StartedAll } from './start-all.ts';

/** The next steps for a new user: the address, the credentials when they are created, and a command to paste. */
export function banner({ url, dataDir, credentials }: StartedAll): string {
  const lines = [
    '',
    `  Risk Posture Service on ${url}`,
    `  Console:                ${url}/app/`,
    `  API documentation:      ${url}/docs`,
    '',
  ];
  if (credentials) {
    const { username, password } = credentials;
    lines.push(
      '  First admin, shown only once (also in DATA_DIR/initial-credentials):',
      `    username  ${username}`,
      `    password  ${password}`,
      '',
      '  Try it, in another terminal:',
      `    curl -s -X POST -u '${username}:${password}' ${url}/api/v3/auth`,
      `    ${settingsFor(url, dataDir)}npx posture upload examples/*.json`,
      '',
    );
  } else {
    lines.push('  Try it:', `    curl -s ${url}/health/ready`, '');
  }
  lines.push('  Ctrl-C stops it, PostgreSQL included.', '', '');
  return lines.join('\n');
}

/** What the command line requires to reach this instance: by default, it takes another. */
const settingsFor = (url: string, dataDir: string): string =>
  (url === 'http://127.0.0.1:8080' ? '' : `POSTURE_URL=${url} `) +
  (dataDir === resolve('.data') ? '' : `DATA_DIR='${dataDir}' `);
