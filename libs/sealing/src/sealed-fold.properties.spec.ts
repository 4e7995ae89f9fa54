import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type EncodableEvent, partitionOf } from '#libs/contracts';
import { actEnvelope, CURRENT_RULES, type FindingCommented } from '#libs/domain';
import { runs } from '../../../test/support/long-run.ts';
import { T0, uploadId } from '../../../test/support/scenario.ts';
import {
  acceptance,
  eventsOf,
  foldOf,
  MACHINE_KEYS,
  ordered,
  seen,
  steps,
  USER_KEYS,
  withLowerNames,
} from '../../../test/support/sealed-histories.ts';
import { SubjectKeysInMemory } from '../../../test/support/subject-keys-in-memory.ts';
import { EventSealer } from './event-sealer.ts';
import { SEALED_TEXTS } from './sealed-text.ts';
import { personName, Seals } from './seals.ts';
import { TextOpener } from './text-opener.ts';

describe('a site that seals', () => {
  it('answers as one that does not, for any sequence of signals', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom('', 'web*', '*'), async (history, machines) => {
        const keys = new SubjectKeysInMemory();
        const names = [...USER_KEYS, ...MACHINE_KEYS, personName('ben')];
        const seals = await new EventSealer(keys, machines).sealsFor(names);
        const events = eventsOf(history, new Seals(new Map()));
        const plain = withLowerNames(events, machines);
        const sealed = eventsOf(history, seals);
        expect(JSON.stringify(sealed)).not.toMatch(/"(ana@acme\.com|ana\.smith|~ana|ben)"/i);
        if (machines !== '') expect(JSON.stringify(sealed)).not.toMatch(/"web01/i);
        if (machines === '*') expect(JSON.stringify(sealed)).not.toContain('10.0.0.5');
        const opener = new TextOpener(keys, (error) => {
          throw error;
        });
        expect(ordered(await opener.value(seen(foldOf(sealed))))).toEqual(
          ordered(JSON.parse(JSON.stringify(seen(foldOf(plain))))),
        );
      }),
      { numRuns: runs(200) },
    );
  });

  it('gives each user a key of the log that does not contain the name, in its own partition', async () => {
    const seals = await new EventSealer(new SubjectKeysInMemory()).sealsFor(['user:ana', 'machine:web01']);
    const key = seals.entityKeyOf('user:ana');
    expect(key).toMatch(/^user:~[\w-]{22}$/);
    expect(partitionOf(key, 12)).toBeLessThan(12);
    expect(seals.entityKeyOf('machine:web01')).toBe('machine:web01');
  });

  it('seals acts on entities in the log by their keys, and names of users by the declaration alone', async () => {
    const keys = new SubjectKeysInMemory();
    const { subject } = keys.keyOf('user:ana');
    const origin = {
      id: uploadId(1),
      entityKey: `user:~${subject}`,
      at: T0,
      receivedAt: T0,
      settingsVersion: 0,
      by: { user: 'ben', requestId: 'r' },
    };
    const events: EncodableEvent[] = [
      acceptance(
        { entityKey: `user:~${subject}`, payload: { name: 'x' } as never },
        T0,
        new Seals(new Map()),
      ),
      {
        envelope: actEnvelope({ ...origin, entityKey: 'organization' }),
        payload: {
          type: 'CredentialChanged',
          act: 'created',
          credentialId: 'c',
          username: 'eve',
          role: 'viewer',
        },
      },
      {
        envelope: actEnvelope({ ...origin, entityKey: 'organization' }),
        payload: {
          type: 'CredentialChanged',
          act: 'identityProviderCreated',
          credentialId: 'corp',
          username: 'corp',
          role: 'Corporate account',
        },
      },
      { envelope: actEnvelope(origin), payload: { type: 'ClockCorrected', reason: 'ben set it' } },
      {
        envelope: actEnvelope({ ...origin, entityKey: 'machine:web01' }),
        payload: { type: 'FindingAssigned', findingId: 'f', seenVersion: null, user: 'eve', team: null },
      },
      // Of a machine: sealed with the key of the author.
      {
        envelope: actEnvelope({ ...origin, entityKey: 'machine:web01' }),
        payload: {
          type: 'FindingCommented',
          findingId: 'f',
          seenVersion: null,
          text: 'ben asks @eve',
          mentions: ['eve'],
        },
      },
      // Of a user: sealed with the key of the entity.
      {
        envelope: actEnvelope(origin),
        payload: {
          type: 'FindingCommented',
          findingId: 'f',
          seenVersion: null,
          text: 'as ben said',
          mentions: [],
        },
      },
    ];
    const sealed = await new EventSealer(keys).seal(events);
    expect(JSON.stringify(sealed)).not.toMatch(/Ana said so|ben|eve/);
    expect(sealed[2]!.payload).toEqual(events[2]!.payload);
    const subjectOf = (name: string) => keys.keyOf(name).subject;
    const comments = sealed.slice(-2).map(({ payload }) => (payload as FindingCommented).text);
    expect(comments.map((text) => [...text.matchAll(SEALED_TEXTS)][0]![1])).toEqual([
      subjectOf('person:ben'),
      subject,
    ]);
    const opener = new TextOpener(keys, (error) => {
      throw error;
    });
    expect(await opener.value(sealed)).toEqual(JSON.parse(JSON.stringify(events)));
    expect(await new EventSealer(null).seal(events)).toBe(events);
    expect(sealed[0]!.envelope.rules).toBe(CURRENT_RULES);
  });
});
