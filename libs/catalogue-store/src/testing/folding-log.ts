import { encodeIntake } from '#libs/contracts';
import { type CatalogueImported, type IntakeEvent, ORGANIZATION_KEY } from '#libs/domain';
import { Projection } from '#libs/projection';
import type { TestDatabase } from '../../../../test/support/database.ts';
import { event, T0 } from '../../../../test/support/scenario.ts';
import type { ImportLog } from '../import-catalogue.ts';

/** A log of one partition that is folded at once. */
export class FoldingLog implements ImportLog {
  /** The time of the next import's event, epoch ms. */
  now = T0;
  /** Imports that were announced. */
  readonly announced: CatalogueImported[] = [];
  private readonly projection: Projection;
  private opened: Promise<number> | undefined;
  private offset = 0;

  constructor({ db }: TestDatabase) {
    this.projection = new Projection(db);
  }

  async settled(): Promise<void> {}

  async announce(imported: CatalogueImported): Promise<void> {
    this.announced.push(imported);
    await this.fold(event(imported, this.now, { kind: 'system' }, { entityKey: ORGANIZATION_KEY }));
  }

  async fold(...events: IntakeEvent[]): Promise<void> {
    this.opened ??= this.projection.open(0);
    await this.opened;
    const records = events.map((one) => ({
      partition: 0,
      offset: this.offset++,
      key: one.envelope.entityKey,
      value: encodeIntake(one),
      headers: {},
      storedAt: T0,
    }));
    await this.projection.project(records);
  }
}
