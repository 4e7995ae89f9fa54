import { expect, it } from '@jest/globals';
import { StorageError } from '#libs/durable-file';
import { siteFailure } from './site-failure.ts';

const withCode = (code: string, path?: string): Error =>
  Object.assign(new Error(code), { code, ...(path !== undefined && { path }) });

it.each([
  ['ENOSPC', undefined, '/backup', 'the disk of /backup'],
  ['EDQUOT', undefined, '/backup', 'the disk of /backup'],
  ['ENOSPC', '/tmp/runs', undefined, 'the disk of /tmp/runs'],
  ['ENOSPC', '/backup/log/1', '/backup', 'the disk of /backup'],
  ['ENOSPC', undefined, undefined, 'a disk'],
  ['53100', undefined, '/backup', 'the disk of PostgreSQL'],
])('reports a full disk (%s of %s, output %s) with exit 1', (code, path, output, disk) => {
  expect(siteFailure(withCode(code, path), 'the log', output)).toMatchObject({
    exitCode: 1,
    message: `${disk} is full: free space, then run the same command again`,
  });
});

it('reports a full disk alike if a durable write met it', () => {
  const met = new StorageError('/backup/erasures.txt', withCode('ENOSPC'));
  expect(siteFailure(met, 'the log', '/backup')).toMatchObject({
    exitCode: 1,
    message: 'the disk of /backup is full: free space, then run the same command again',
  });
});

it.each([
  ['28000', 'no pg_hba.conf entry for host "10.0.0.7"'],
  ['28P01', 'password authentication failed for user "ana"'],
  ['3D000', 'database "postrue" does not exist'],
  ['42501', 'permission denied for table subject_keys'],
  [undefined, 'The server does not support SSL connections'],
])('reports what the database refuses (%s) with exit 1', (code, message) => {
  expect(siteFailure(Object.assign(new Error(message), { code }))).toMatchObject({
    exitCode: 1,
    message: `the database refused the connection or the command: ${message}`,
  });
});

it('reports another error of a file with exit 2, and leaves an unknown one', () => {
  expect(siteFailure(withCode('EACCES', '/backup'), 'the log', '/backup')).toMatchObject({
    exitCode: 2,
    message: 'cannot read or write /backup (EACCES)',
  });
  const bug = withCode('42601');
  expect(siteFailure(bug)).toBe(bug);
});
