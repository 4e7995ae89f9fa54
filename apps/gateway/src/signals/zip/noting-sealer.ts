import type { EventSealer, SealKeys } from '#libs/sealing';

/** Notes the subjects whose keys a ZIP has asked for: all of them before its first event. */
export class NotingSealer implements Pick<EventSealer, 'isOn' | 'keysOf'> {
  readonly subjects = new Set<string>();

  constructor(private readonly sealer: EventSealer) {}

  get isOn(): boolean {
    return this.sealer.isOn;
  }

  async keysOf(names: Iterable<string>): Promise<SealKeys> {
    const keys = await this.sealer.keysOf(names);
    for (const key of keys.values()) if (key) this.subjects.add(key.subject);
    return keys;
  }
}
