import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyOf, newSecret } from './secret.ts';
import { signedHeaders } from './signature.ts';

/** Published with the reference libraries of Standard Webhooks. */
const PUBLISHED = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: 1_614_265_330_000,
  body: Buffer.from('{"test": 2432232314}'),
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe('the signature of a delivery', () => {
  it('is that of the published test vector', () => {
    const { secret, signature, ...signed } = PUBLISHED;
    expect(signedHeaders({ ...signed, secrets: [secret] })).toEqual({
      'webhook-id': signed.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
    });
  });

  it('is made with each secret while one takes the place of the other', () => {
    const { secret, signature, ...signed } = PUBLISHED;
    const [other] = [newSecret()];
    const both = signedHeaders({ ...signed, secrets: [other, secret] })['webhook-signature']!;
    expect(both.split(' ')).toHaveLength(2);
    expect(both.split(' ')[1]).toBe(signature);
  });

  it('depends on these bytes, this id and this second (property)', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(text, text, fc.nat(), fc.uuid(), (one, other, seconds, id) => {
        const secrets = [PUBLISHED.secret];
        const of = (body: string, at: number, by = id) =>
          signedHeaders({ id: by, at, body: Buffer.from(body), secrets })['webhook-signature'];
        const key = keyOf(PUBLISHED.secret)!;
        const mac = createHmac('sha256', key).update(`${id}.${seconds}.${one}`).digest('base64');
        expect(of(one, seconds * 1000 + 999)).toBe(`v1,${mac}`);
        expect(of(one, (seconds + 1) * 1000)).not.toBe(`v1,${mac}`);
        expect(of(one, seconds * 1000, `${id}0`)).not.toBe(`v1,${mac}`);
        if (!Buffer.from(one).equals(Buffer.from(other)))
          expect(of(other, seconds * 1000)).not.toBe(`v1,${mac}`);
      }),
    );
  });
});

describe('a secret', () => {
  it('that is made is one, of 32 bytes, and never the same', () => {
    expect(keyOf(newSecret())).toHaveLength(32);
    expect(newSecret()).not.toBe(newSecret());
  });

  it('is 24 to 64 bytes (property)', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const key = keyOf(`whsec_${Buffer.from(bytes).toString('base64')}`);
        if (bytes.length < 24 || bytes.length > 64) expect(key).toBeNull();
        else expect(key).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it.each([
    '',
    'whsec_',
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw ',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwA',
  ])('is not %j', (text) => {
    expect(keyOf(text)).toBeNull();
  });
});
