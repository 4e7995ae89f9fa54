import { Inject, Injectable } from '@nestjs/common';
import type { Kysely } from 'kysely';
import { type CatalogueAt, readCatalogues, readTechniques } from '#libs/catalogue-store';
import { DATABASE, READ_DATABASE, type Schema } from '#libs/database';
import { cvesOf, type Finding } from '#libs/domain';

/** The catalogues for readers of findings: readers see them, findings never depend on them (R-FOLD-12). */
@Injectable()
export class CataloguesRepository {
  constructor(
    @Inject(DATABASE) private readonly primary: Kysely<Schema>,
    @Inject(READ_DATABASE) private readonly db: Kysely<Schema>,
  ) {}

  /** All that the catalogues say of techniques and of the findings' CVEs at an instant (epoch milliseconds). */
  async of(findings: Pick<Finding, 'instances'>[], at: number): Promise<CatalogueAt> {
    return (await readCatalogues(this.primary, findings.flatMap(cvesOf), at)).at(at);
  }

  /** The techniques of ATT&CK as the catalogues have them at an instant (epoch milliseconds). */
  async techniques(at: number) {
    return (await readTechniques(this.db)).at(at);
  }
}
