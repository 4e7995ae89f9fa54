import type { Device } from '../axonius/device.ts';
import type { Clock } from '../clock.ts';
import type { Estate } from '../estate.ts';
import type { Alert } from '../falcon/alert.ts';
import type { Scope } from '../falcon/falcon-client.ts';
import type { FalconPlatform } from '../falcon/falcon-platform.ts';
import type { Host } from '../falcon/host.ts';
import type { Fault } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import type { LoggedRequest, RequestLog } from '../http/request-log.ts';
import type { Collection, Fields } from '../records/collection.ts';
import type { ScannedAsset } from '../tenable/scanned-asset.ts';
import type { Vulnerability } from '../tenable/vulnerability.ts';

/** The controls of running simulators for tests; `/simulator/…` offers the same over HTTP. */
export class Control {
  constructor(
    private readonly estate: Estate,
    private readonly clock: Clock,
    private readonly faults: Faults,
    private readonly log: RequestLog,
    private readonly falcon: FalconPlatform,
  ) {}

  /** Hosts of the EDR platform: to look at, `add`, `change` and `remove`. A change also sets its timestamps. */
  get hosts(): Collection<Host> {
    return this.estate.hosts;
  }

  /** Alerts of the EDR platform. */
  get alerts(): Collection<Alert> {
    return this.estate.alerts;
  }

  /** Devices of the inventory platform. */
  get devices(): Collection<Device> {
    return this.estate.devices;
  }

  /** Assets of the vulnerability scanner. */
  get assets(): Collection<ScannedAsset> {
    return this.estate.assets;
  }

  /** Vulnerabilities of the scanner; `asset` is the number of the asset. */
  get vulnerabilities(): Collection<Vulnerability> {
    return this.estate.vulnerabilities;
  }

  /**
   * A new alert.
   * @param host number of its host
   * @returns its own number
   * @throws RangeError if there is no such host
   */
  addAlert(host: number, fields: Fields = {}): number {
    const device = this.hosts.at(host);
    if (device === undefined) throw new RangeError(`There is no host ${host}.`);
    return this.alerts.add({ agent_id: device.device_id, device, ...fields });
  }

  /** Milliseconds since 1970, by the clock of the simulators. */
  now(): number {
    return this.clock.now();
  }

  /** @param ms from 0: time does not go back */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError('Time can only be advanced.');
    this.clock.advance(ms);
  }

  /** Something goes wrong with a request to come. */
  fault(fault: Fault): void {
    this.faults.arm(fault);
  }

  clearFaults(): void {
    this.faults.clear();
  }

  /** Faults that can still befall a request. */
  get waitingFaults(): readonly Fault[] {
    return this.faults.waiting;
  }

  /** The last 10,000 requests to the vendors' endpoints, the oldest first. */
  get requests(): readonly LoggedRequest[] {
    return this.log.requests;
  }

  /** How often each endpoint was asked: `{"POST /oauth2/token": 1}`. */
  get requestCounts(): Record<string, number> {
    return this.log.countByEndpoint;
  }

  clearRequests(): void {
    this.log.clear();
  }

  /**
   * Sets the permissions of a client of the EDR platform from now on.
   * @throws RangeError if there is no such client
   */
  setScopes(clientId: string, scopes: readonly Scope[]): void {
    this.falcon.setScopes(clientId, scopes);
  }
}
