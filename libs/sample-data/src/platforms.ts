import { entityKey, type RawTags, type Signal } from '#libs/domain';
import type { DemoSignal, DemoSize } from './demo-uploads.ts';
import type { Machine } from './entities.ts';
import { type PastMachine, pastMachines } from './past-scans.ts';
import { createRandom } from './random.ts';

/** The source of detections; also that of the EDR platform that has them. */
export const AGENT_SOURCE = 'endpoint-agent';

/** A description of a machine by a platform, with the id of the device there. */
type MachineDescription = Signal & { deviceId: string };

/** Whether a signal of the demo is a detection. */
export const isDetection = ({ entryName }: Pick<DemoSignal, 'entryName'>): boolean =>
  entryName.endsWith('-edr.json');

export interface DescribedMachine {
  entityKey: string;
  /** Midnight UTC of the day on which the platform has it first, epoch ms. */
  since: number;
  signal: MachineDescription;
}

/** The machines with an agent, as the EDR platform lists them. */
export const agentDescriptions = (size: DemoSize, days: number): DescribedMachine[] =>
  described(size, days, AGENT_SOURCE, 'Host of the EDR platform', () => ({})).filter(
    ({ machine }) => machine.hasAgent,
  );

/** Custom field that the inventory fills. */
export const INVENTORY_TAGS = 'assetinventory-tags';

/** All machines, as the asset inventory lists them, with its tags. */
export const inventoryDescriptions = (size: DemoSize, days: number, source: string): DescribedMachine[] =>
  described(size, days, source, 'Device of the asset inventory', (machine) => ({
    [INVENTORY_TAGS]: [machine.exposed ? 'internet' : 'internal', machine.role],
  }));

function described(
  size: DemoSize,
  days: number,
  source: string,
  name: string,
  tagsOf: (machine: Machine & { exposed: boolean }) => RawTags,
): (DescribedMachine & { machine: Machine })[] {
  return Array.from(pastMachines(size, days), ({ machine, index, since }: PastMachine) => {
    const random = createRandom(`${size.seed}/${source}/${index}`);
    const exposed = machine.ip.startsWith('203.0.113.');
    return {
      machine,
      since,
      entityKey: entityKey('machine', machine.name),
      signal: {
        id: random.uuid(),
        deviceId: random.uuid().replaceAll('-', ''),
        entityOnly: true,
        name,
        source: { name: source },
        entity: {
          type: 'machine',
          name: machine.name,
          entityAttributes: {
            ipAddresses: [{ name: 'Ip', ipv4: machine.ip }],
            networkInterface: [{ macAddress: [macOf(index)] }],
            tags: { os: machine.os, ...tagsOf({ ...machine, exposed }) },
          },
        },
      },
    };
  });
}

/** Locally administered. */
const macOf = (index: number): string =>
  [
    '02',
    '00',
    '5e',
    ...[16, 8, 0].map((shift) => ((index >> shift) & 255).toString(16).padStart(2, '0')),
  ].join(':');
