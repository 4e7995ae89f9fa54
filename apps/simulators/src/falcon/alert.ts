import type { Fields } from '../records/collection.ts';
import { Dice } from '../records/dice.ts';
import { DAY_MS, type Seeded, toNanosecond } from '../records/seeded.ts';
import { type Host, hostInAlerts } from './host.ts';
import { severityName } from './severity-name.ts';
import { type DetectedTechnique, techniquesOn } from './techniques.ts';

export interface Alert extends Fields {
  /** `cid:id` */
  composite_id: string;
  id: string;
  /** Of the host. */
  agent_id: string;
  device: Host;
  status: string;
  tags: string[];
  severity: number;
  created_timestamp: string;
  updated_timestamp: string;
}

/** Consecutive alerts belong to one host; the first two of them to one technique. */
const ALERTS_A_HOST = 3;
const USERS = ['anna.berg', 'ben.okafor', 'chen.li', 'dilara.kaya', 'SYSTEM', 'root'];
const ANALYSTS = ['Ines Duarte', 'Jonas Weber', 'Kavya Rao'];
const VERDICTS = ['true_positive', 'true_positive', 'false_positive', 'false_positive', 'ignored', undefined];

export interface SeededAlerts extends Seeded {
  /** How many hosts they are spread over, from 1. */
  hosts: number;
}

/** Alert `number`, from 0: of one seed, number of hosts, and fields that were set, always the same. */
export function alertOf(seeded: SeededAlerts, number: number, set: Partial<Alert>): Alert {
  const { seed, epochMs, hosts } = seeded;
  const dice = new Dice(seed, number);
  const group = new Dice(seed, Math.floor(number / ALERTS_A_HOST));
  const host = set.device ?? hostInAlerts(seeded, group.below(hosts, 'host of alerts'));
  const technique = (number % ALERTS_A_HOST < 2 ? group : dice).pick(
    techniquesOn(host.platform_name),
    'technique',
  );
  const createdMs = epochMs - 3_600_000 - dice.below(60 * DAY_MS, 'created');
  const updatedMs = createdMs + dice.below(epochMs - createdMs, 'updated');
  const severity = set.severity ?? dice.below(100, 'severity') + 1;
  const below = dice.below(1_000_000, 'nanoseconds');
  const id = `ind:${host.device_id}:${dice.id('alert')}-${technique.patternId}`;
  return {
    agent_id: host.device_id,
    aggregate_id: `aggind:${host.device_id}:${group.hex(12, 'aggregate')}`,
    cid: host.cid,
    composite_id: `${host.cid}:${id}`,
    confidence: dice.below(100, 'confidence') + 1,
    crawled_timestamp: toNanosecond(updatedMs, below),
    created_timestamp: toNanosecond(createdMs, below),
    data_domains: ['Endpoint'],
    description: `A process matched the pattern ${technique.name}.`,
    device: host,
    display_name: technique.name,
    email_sent: false,
    external: false,
    falcon_host_link: `https://falcon.example.com/activity-v2/detections/${id}`,
    id,
    indicator_id: id,
    local_process_id: String(dice.below(65_536, 'process')),
    logon_domain: host.machine_domain ?? '',
    name: technique.name,
    objective: 'Falcon Detection Method',
    pattern_id: technique.patternId,
    platform: host.platform_name,
    product: 'epp',
    scenario: 'suspicious_activity',
    severity,
    severity_name: severityName(severity),
    show_in_ui: true,
    source_products: ['Falcon Insight'],
    source_vendors: ['CrowdStrike'],
    timestamp: toNanosecond(createdMs - 1_000, 0),
    type: 'ldt',
    updated_timestamp: toNanosecond(updatedMs, below),
    user_name: dice.pick(USERS, 'user'),
    ...triageOf(dice),
    ...attackOf(technique),
    ...fileOf(dice, technique, host),
  };
}

/** The triage state of an alert. */
function triageOf(dice: Dice): Pick<Alert, 'status' | 'tags'> & Fields {
  const status = dice.pick(
    ['new', 'new', 'new', 'in_progress', 'reopened', 'closed', 'closed'],
    'status of alert',
  );
  const times = {
    seconds_to_resolved: status === 'closed' ? 3_600 + dice.below(DAY_MS / 1_000, 'resolved') : 0,
    seconds_to_triaged: status === 'new' ? 0 : dice.below(3_600, 'triaged'),
    ...(status === 'in_progress' && { assigned_to_name: dice.pick(ANALYSTS, 'analyst') }),
  };
  const verdict = status === 'new' ? undefined : dice.pick(VERDICTS, 'verdict');
  const hasVerdict = status === 'closed' || dice.chance(30, 'early verdict');
  if (verdict === undefined || !hasVerdict) return { ...times, status, tags: [] };
  return { ...times, status, tags: [verdict], resolution: verdict };
}

/** One client cannot read an alert without the list. */
function attackOf({ tactic, tacticId, technique, techniqueId, patternId }: DetectedTechnique): Fields {
  if (techniqueId === undefined) return { mitre_attack: [] };
  const names = { tactic, tactic_id: tacticId, technique, technique_id: techniqueId };
  return { ...names, mitre_attack: [{ pattern_id: patternId, ...names }] };
}

function fileOf(dice: Dice, { filename, cmdline }: DetectedTechnique, { platform_name }: Host): Fields {
  const folder = platform_name === 'Windows' ? '\\Device\\HarddiskVolume3\\Windows\\System32\\' : '/usr/bin/';
  return {
    filename,
    filepath: `${folder}${filename}`,
    cmdline,
    md5: dice.hex(32, 'md5'),
    sha256: dice.hex(64, 'sha256'),
  };
}
