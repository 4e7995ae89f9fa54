import { expect, it } from '@jest/globals';
import { StorageError } from '#libs/durable-file';
import { siteFailure } from './site-failure.ts';

const withCode = (code: string, path?: string): Error =>
  Object.assign(new Error(code), { code, ...(path !== undefined && { path }) });

it.each([
  [withCode('ENOSPC', '/tmp/runs'), 'the disk of /tmp/runs'],
  [withCode('EDQUOT', '/tmp/runs'), 'the disk of /tmp/runs'],
  [new StorageError('/keys/posture.keys', withCode('ENOSPC')), 'the disk of /keys/posture.keys'],
  [withCode('ENOSPC'), 'a disk'],
  [withCode('53100'), 'the disk of PostgreSQL'],
])('reports a full disk (%s) with exit 1', (error, disk) => {
  expect(siteFailure(error)).toMatchObject({
    exitCode: 1,
    message: `${disk} is full: free space, then run the same command again`,
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
  expect(siteFailure(withCode('EACCES', '/backup'))).toMatchObject({
    exitCode: 2,
    message: 'cannot read or write /backup (EACCES)',
  });
  const bug = withCode('42601');
  expect(siteFailure(bug)).toBe(bug);
});
