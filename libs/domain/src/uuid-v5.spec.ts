import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v5 } from 'uuid';
import { uuidV5 } from './uuid-v5.ts';

describe('a UUID of version 5', () => {
  it('is that of RFC 9562, appendix A.4', () => {
    const inDns = uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8');
    expect(inDns('www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('equals the result of the usual library, for any name in any namespace', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: 'binary' }), (namespace, name) => {
        expect(uuidV5(namespace)(name)).toBe(v5(name, namespace));
      }),
    );
  });
});
