import { type Device, deviceOf } from './axonius/device.ts';
import type { Clock } from './clock.ts';
import { type Alert, alertOf } from './falcon/alert.ts';
import { type Host, hostOf } from './falcon/host.ts';
import { Collection } from './records/collection.ts';
import { numberOfId } from './records/dice.ts';
import { toNanosecond, toSecond } from './records/seeded.ts';
import { type ScannedAsset, scannedAssetOf } from './tenable/scanned-asset.ts';
import { type Vulnerability, vulnerabilityOf } from './tenable/vulnerability.ts';

export interface EstateSize {
  /** Hosts of the EDR platform, from 1. */
  hosts: number;
  /** Alerts of the EDR platform, from 0. */
  alerts: number;
  /** Devices of the inventory platform, from 0; some are hosts too. */
  devices: number;
  /** Assets of the vulnerability scanner, from 1; three of four are hosts too. */
  assets: number;
  /** Vulnerabilities of the scanner, from 0. */
  vulnerabilities: number;
  seed: number;
}

/** Everything that the platforms know. */
export interface Estate {
  hosts: Collection<Host>;
  alerts: Collection<Alert>;
  devices: Collection<Device>;
  assets: Collection<ScannedAsset>;
  vulnerabilities: Collection<Vulnerability>;
}

/** @param epochMs the instant that the seeded records lead up to */
export function estateOf(size: EstateSize, epochMs: number, clock: Clock): Estate {
  const seeded = { seed: size.seed, epochMs, hosts: size.hosts, assets: size.assets };
  const nowMs = () => clock.now();
  return {
    hosts: new Collection<Host>(
      {
        count: size.hosts,
        make: (number) => hostOf(seeded, number),
        idOf: ({ device_id }) => device_id,
        numberOf: numberOfId,
        touched: (ms) => ({ last_seen: toSecond(ms), modified_timestamp: toSecond(ms) }),
        born: (ms) => ({ first_seen: toSecond(ms) }),
      },
      nowMs,
    ),
    alerts: new Collection<Alert>(
      {
        count: size.alerts,
        make: (number, set) => alertOf(seeded, number, set),
        idOf: ({ composite_id }) => composite_id,
        numberOf: (id) => numberOfId(id.split(':')[3] ?? ''),
        touched: (ms) => ({ updated_timestamp: toNanosecond(ms, 0), crawled_timestamp: toNanosecond(ms, 0) }),
        born: (ms) => ({ created_timestamp: toNanosecond(ms, 0), timestamp: toNanosecond(ms, 0) }),
      },
      nowMs,
    ),
    devices: new Collection<Device>(
      {
        count: size.devices,
        make: (number) => deviceOf(seeded, number),
        idOf: ({ internal_axon_id }) => internal_axon_id,
        numberOf: numberOfId,
        touched: (ms) => ({ 'specific_data.data.last_seen': new Date(ms).toISOString() }),
        born: (ms) => ({ 'specific_data.data.first_seen': new Date(ms).toISOString() }),
      },
      nowMs,
    ),
    assets: new Collection<ScannedAsset>(
      {
        count: size.assets,
        make: (number) => scannedAssetOf(seeded, number),
        idOf: ({ id }) => id,
        numberOf: numberOfId,
        touched: (ms) => ({ updated_at: new Date(ms).toISOString() }),
        born: (ms) => ({ created_at: new Date(ms).toISOString() }),
      },
      nowMs,
    ),
    vulnerabilities: new Collection<Vulnerability>(
      {
        count: size.vulnerabilities,
        make: (number) => vulnerabilityOf(seeded, number),
        idOf: ({ finding_id }) => finding_id,
        numberOf: numberOfId,
        touched: (ms, { state }) => ({ indexed: ms, ...(state !== undefined && fixedAt(state, ms)) }),
        born: (ms) => ({ first_found: new Date(ms).toISOString(), last_found: new Date(ms).toISOString() }),
      },
      nowMs,
    ),
  };
}

const fixedAt = (state: unknown, ms: number): Pick<Vulnerability, 'last_fixed'> => ({
  last_fixed: state === 'FIXED' ? new Date(ms).toISOString() : null,
});
