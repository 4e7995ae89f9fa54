import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ocsfAuthentication } from './ocsf-authentication.ts';
import type { SecurityEventDto } from './security-event.dto.ts';
import { syslogLines } from './syslog-lines.ts';

const EVENT: SecurityEventDto = {
  id: '6f1f7a2e-0d5b-4c55-9a55-0d8f0e6f7f10',
  at: '2026-03-02T08:00:01.250Z',
  lastAt: '2026-03-02T08:00:59.000Z',
  count: 12,
  kind: 'signIn',
  outcome: 'refused',
  reason: 'wrongPassword',
  user: 'ana',
  token: null,
  address: '192.0.2.1',
  requestId: 'r-1',
};

describe('a security event as OCSF', () => {
  it('is a failed logon with its count and times', () => {
    expect(ocsfAuthentication(EVENT)).toEqual({
      category_name: 'Identity & Access Management',
      category_uid: 3,
      class_name: 'Authentication',
      class_uid: 3002,
      activity_id: 1,
      activity_name: 'Logon',
      type_uid: 300201,
      type_name: 'Authentication: Logon',
      severity_id: 2,
      severity: 'Low',
      status_id: 2,
      status: 'Failure',
      status_code: 'wrongPassword',
      time: 1772438401250,
      start_time: 1772438401250,
      end_time: 1772438459000,
      count: 12,
      user: { name: 'ana', type_id: 1 },
      src_endpoint: { ip: '192.0.2.1' },
      service: { name: 'Risk Posture Service' },
      is_remote: true,
      metadata: {
        version: '1.3.0',
        uid: EVENT.id,
        correlation_uid: 'r-1',
        log_name: 'security-events',
        product: {
          name: 'Risk Posture Service',
          vendor_name: 'Risk Posture Service',
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        },
      },
    });
  });

  it('is a logon with success', () => {
    const event = ocsfAuthentication({ ...EVENT, outcome: 'success', reason: null });
    expect(event).toMatchObject({ activity_id: 1, status_id: 1, severity_id: 1 });
    expect(event).not.toHaveProperty('status_code');
  });

  it('is a logoff if an identity provider ends sessions', () => {
    const ended = { ...EVENT, kind: 'logout', outcome: 'success', reason: null, user: 'corp:ana' };
    expect(ocsfAuthentication(ended)).toMatchObject({
      activity_id: 2,
      type_uid: 300202,
      user: { type_id: 1 },
    });
  });

  it('is another activity for a token, which may belong to a program or to nobody', () => {
    const used = { ...EVENT, kind: 'token', reason: 'network', user: 'token:scanner', token: '9f86d081884c' };
    expect(ocsfAuthentication(used)).toMatchObject({
      activity_id: 99,
      type_uid: 300299,
      user: { name: 'token:scanner', type_id: 3 },
      session: { uid: '9f86d081884c' },
    });
    const invalid = { ...EVENT, kind: 'token', reason: 'invalid', user: null, address: null };
    expect(ocsfAuthentication(invalid)).toMatchObject({ user: { name: 'Unknown', type_id: 0 } });
    expect(ocsfAuthentication(invalid)).not.toHaveProperty('src_endpoint');
    // A name as typed at a sign-in.
    expect(ocsfAuthentication({ ...EVENT, user: 'token:x' })).toMatchObject({ user: { type_id: 1 } });
  });
});

describe('a security event as syslog', () => {
  it('has the priority of its outcome, its time and its kind', () => {
    expect(syslogLines.items([EVENT], true)).toMatch(
      /^<84>1 2026-03-02T08:00:01\.250Z \S+ posture - signIn - \{/,
    );
    expect(syslogLines.items([{ ...EVENT, outcome: 'success' }], true)).toMatch(/^<86>1 /);
  });

  it('is one line of ASCII for every name that may be typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (user) => {
        const line = syslogLines.items([{ ...EVENT, user }], true);
        expect(line).toMatch(/^[ -~]+\n$/);
        expect(JSON.parse(line.slice(line.indexOf('{'))).user.name).toBe(user);
      }),
    );
  });
});
