import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { banner } from './banner.ts';

const credentials = { username: 'admin', password: 'x' };
const upload = (url: string, dataDir: string) =>
  banner({ url, dataDir, credentials })
    .split('\n')
    .find((line) => line.includes('npx posture upload'))
    ?.trim();

describe('the command to try after the first start', () => {
  it.each([
    ['http://127.0.0.1:8080', resolve('.data'), ''],
    ['http://127.0.0.1:18380', resolve('.data'), 'POSTURE_URL=http://127.0.0.1:18380 '],
    ['http://127.0.0.1:8080', '/srv/my site', "DATA_DIR='/srv/my site' "],
    ['http://[::1]:9', '/srv/posture', "POSTURE_URL=http://[::1]:9 DATA_DIR='/srv/posture' "],
  ])('of %s with %s reaches this instance', (url, dataDir, settings) => {
    expect(upload(url, dataDir)).toBe(`${settings}npx posture upload examples/*.json`);
  });
});
