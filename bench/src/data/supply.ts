import { join } from 'node:path';
import { type ScannedMachine, type Spread, scannedMachines } from './scans/machines.ts';
import { machinesWith } from './take.ts';
import { type ZipFile, zipFiles } from './zip-files.ts';

/** About as many as a ZIP contains. */
const ZIP_FINDINGS = 7_000;

/** An unlimited number of new machines, packed when requested. No finding occurs twice. */
export class Supply {
  /** Supplied so far. */
  findings = 0;
  machines = 0;
  /** The last machine of each supplied ZIP. */
  readonly names: string[] = [];
  private readonly source: Iterator<ScannedMachine>;
  private packings = 0;

  /**
   * @param folder for the ZIPs; nothing else is in it
   * @param scannedAt epoch ms; a supply of the same time supplies the same findings
   */
  constructor(
    private readonly folder: string,
    private readonly spread?: Spread,
    private readonly scannedAt = Date.now(),
  ) {
    this.source = scannedMachines(Number.POSITIVE_INFINITY, scannedAt, undefined, spread);
  }

  /** All that this supply has supplied, once more. */
  again(folder: string): AsyncGenerator<ZipFile, void, void> {
    return new Supply(folder, this.spread, this.scannedAt).zips(this.findings);
  }

  /** Supplies without packing what an interrupted run has sent; one machine of a ZIP's size is named. */
  skip(findings: number): void {
    while (this.findings < findings) {
      const { value } = this.source.next();
      const before = this.findings;
      this.findings += value.signals.length;
      this.machines += 1;
      const isLastOfZip = Math.floor(before / ZIP_FINDINGS) < Math.floor(this.findings / ZIP_FINDINGS);
      if (isLastOfZip || this.names.length === 0) this.names.push(value.name);
    }
  }

  /** The next complete machines with at least `findings` findings, ZIP by ZIP. */
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
