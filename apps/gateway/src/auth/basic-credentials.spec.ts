import { describe, expect, it } from '@jest/globals';
import { basicCredentials } from './basic-credentials.ts';

const header = (text: string, scheme = 'Basic') => `${scheme} ${Buffer.from(text).toString('base64')}`;

describe('basicCredentials (R-AUTH-1, RFC 7617)', () => {
  it.each([
    ['ana:secret', 'ana', 'secret'],
    ['ana:with:colons', 'ana', 'with:colons'],
    ['ana:', 'ana', ''],
    ['zoë@acme.com:pässwört', 'zoë@acme.com', 'pässwört'],
  ])('splits %j at the first colon, as UTF-8', (text, username, password) => {
    expect(basicCredentials(header(text))).toEqual({ username, password });
  });

  it('takes the scheme in any case', () => {
    expect(basicCredentials(header('a:b', 'bASIC'))).toEqual({ username: 'a', password: 'b' });
  });

  it.each([
    undefined,
    '',
    'Basic',
    'Basic %%%',
    'Bearer YTpi',
    header('nocolon'),
    header(':nobody'),
    header('a\0b:x'),
    header('a:x\0'),
    header('\uFDD02ana\uFDD1:x'),
    header(`${'u'.repeat(129)}:p`),
    header(`u:${'p'.repeat(257)}`),
  ])('takes %j for no credentials', (text) => expect(basicCredentials(text)).toBeNull());
});
