import { entityKey, type IntakePayload, type UploadHeader } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { personName, sealedMachines, subjectsOf } from '#libs/sealing';
import { replaceInMendedFinding } from './mended-texts.ts';
import { type ReplaceIds, replaceIds, replaceIdsIn } from './new-ids.ts';
import { openedRecord } from './opened-record.ts';

/** Whose texts an old log contains, and which findings its events and tables name. */
export class OldSubjects {
  /** The entity key of a user or a machine, with its partition; the name of a person, with null. */
  readonly partitions = new Map<string, number | null>();
  /** Ids in acts and mends of their findings, and all ids in plans, queries and tables. */
  readonly namedIds = new Set<string>();
  private readonly isSealedMachine: (entityKey: string) => boolean;

  /** @param machines patterns of the machines that are subjects (`SEAL_MACHINES`) */
  constructor(machines = '') {
    this.isSealedMachine = sealedMachines(machines);
  }

  take(record: StoredRecord): void {
    const event = openedRecord(record);
    if (!event) return;
    const { entityKey } = event.envelope;
    for (const name of subjectsOf(event)) this.note(name);
    for (const name of personsMended(event.payload)) this.note(name);
    replaceIdsIn(event.payload, this.noteIds);
    if (!entityKey.startsWith('user:') && !this.isSealedMachine(entityKey)) return;
    this.partitions.set(entityKey, record.partition);
    for (const id of findingIdsIn(event.payload)) this.namedIds.add(id);
  }

  readonly notePerson = (user: string): void => this.note(personName(user));

  /** Of a name outside the log; other machines are no subjects. */
  readonly noteMachine = (name: string): void => {
    const key = entityKey('machine', name);
    if (this.isSealedMachine(key)) this.note(key);
  };

  /** Returns the text. */
  readonly noteIds: ReplaceIds = (text) =>
    replaceIds(text, (id) => {
      this.namedIds.add(id);
      return id;
    });

  private note(name: string): void {
    if (!this.partitions.has(name)) this.partitions.set(name, null);
  }
}

function personsMended(payload: IntakePayload): string[] {
  if (payload.type !== 'EntityMended') return [];
  const names: string[] = [];
  for (const { fields } of payload.findings) {
    replaceInMendedFinding(fields, (text, kind) => {
      if (kind === 'person') names.push(personName(text));
      return text;
    });
  }
  return names;
}

function findingIdsIn(payload: IntakePayload): string[] {
  if ('findingId' in payload) return [payload.findingId];
  return payload.type === 'EntityMended' ? payload.findings.map(({ findingId }) => findingId) : [];
}

/** What readers show for a text that is gone. */
const ERASED = 'erased';

/**
 * A header or a receipt without the names in its warnings: old ones do not say which entity they are about, so that an
 * erasure could not reach them.
 */
export const withoutNames = <H extends Pick<UploadHeader, 'warnings'>>(header: H): H => ({
  ...header,
  warnings: header.warnings.map(({ entry, message }) => ({
    entry: entry === null ? null : ERASED,
    field: ERASED,
    message,
  })),
});
