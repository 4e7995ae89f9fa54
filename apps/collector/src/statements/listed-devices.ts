import { entityKey } from '#libs/domain';
import type { PulledSignal } from '#libs/integrations';

/** Devices that a pull remembers, some 200 MB of them. */
const DEVICES_MAX = 1_000_000;

/** The devices that a complete pull has described, each under the entity of its name. */
export class ListedDevices {
  private readonly devices = new Set<string>();

  /** There were more devices than it remembers: a missing one may have been listed. */
  get isCut(): boolean {
    return this.devices.size >= DEVICES_MAX;
  }

  get isEmpty(): boolean {
    return this.devices.size === 0;
  }

  add({ deviceId, entity }: PulledSignal): void {
    if (deviceId !== undefined && !this.isCut) {
      this.devices.add(keyOf(deviceId, entityKey('machine', entity.name)));
    }
  }

  has(deviceId: string, key: string): boolean {
    return this.devices.has(keyOf(deviceId, key));
  }
}

const keyOf = (deviceId: string, key: string) => `${deviceId}\n${key}`;
