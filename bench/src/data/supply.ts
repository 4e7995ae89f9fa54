import { join } from 'node:path';
import { type ScannedMachine, type Spread, scannedMachines } from './machines.ts';
import { machinesWith } from './take.ts';
import { type ZipFile, zipFiles } from './zip-files.ts';

/** New machines without end, packed as they are asked for; no finding comes twice. */
export class Supply {
  /** That were given out. */
  findings = 0;
  machines = 0;
  /** Some machines among those that were given out: the last one of each ZIP. */
  readonly names: string[] = [];
  private readonly source: Iterator<ScannedMachine>;
  private packings = 0;

  /** @param folder for the ZIPs; nothing else is in it */
  constructor(
    private readonly folder: string,
    spread?: Spread,
  ) {
    this.source = scannedMachines(Number.POSITIVE_INFINITY, Date.now(), undefined, spread);
  }

  /** The next machines with so many findings, whole, ZIP by ZIP. */
  async *zips(findings: number): AsyncGenerator<ZipFile, void, void> {
    const folder = join(this.folder, `${++this.packings}`);
    for await (const zip of zipFiles(machinesWith(this.source, findings), folder)) {
      this.findings += zip.signals;
      this.machines += zip.machines;
      this.names.push(zip.last.name);
      yield zip;
    }
  }
}
