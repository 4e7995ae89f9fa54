import fc from 'fast-check';
import type { AssetMove } from '../../libs/domain/src/scoring/explain/moment.ts';
import type {
  ThreatCatalogue,
  ThreatenedAsset,
  ThreatenedSubject,
} from '../../libs/domain/src/scoring/posture2/facts.ts';
import { type KnownThreats, threatCatalogueOf } from '../fixtures/domain/threatened-subjects.ts';
import { acts, afterAct, type Estate, estates, HARDENING, knownThreats, SOFTENING } from './estates.ts';

/** Random organizations at two instants, and what happened in between. */

type ThreatMove = AssetMove<ThreatenedSubject>;

interface MovedSide {
  catalogue: ThreatCatalogue;
  /** What the catalogue is made of. */
  known: KnownThreats;
  at: number;
}

export interface Moved {
  moves: ThreatMove[];
  from: MovedSide;
  to: MovedSide;
}

const attributes: fc.Arbitrary<Partial<ThreatenedAsset>> = fc.record(
  {
    criticality: fc.constantFrom('critical', 'low', null),
    integrityRequirement: fc.constantFrom('high', 'low', null),
    attackSurface: fc.constantFrom('Servers', 'DMZ', 'Endpoints'),
    ipAddresses: fc.constantFrom([], ['8.8.8.8']),
    isEdrManaged: fc.boolean(),
  },
  { requiredKeys: [] },
);

export const movesOf = (before: Estate, after: Estate, absent: (0 | 1 | 2)[]): ThreatMove[] =>
  before.subjects.map(({ asset: { id } }, i) => ({
    assetId: id,
    from: absent[i] === 1 ? null : before.subjects[i]!,
    to: absent[i] === 2 ? null : after.subjects[i]!,
  }));

/** Acts, controls that end, imports of catalogues, new attributes of assets, aging, and assets that come and go. */
export const moved: fc.Arbitrary<Moved> = fc
  .record({
    estate: estates,
    happening: fc.array(acts([...SOFTENING, ...HARDENING]), { maxLength: 6 }),
    known: fc.tuple(knownThreats, fc.option(knownThreats, { nil: undefined })),
    rated: fc.array(attributes, { maxLength: 5 }),
    absent: fc.array(fc.constantFrom(0, 0, 0, 0, 1, 2), { minLength: 5, maxLength: 5 }),
  })
  .map(({ estate, happening, known: [before, after], rated, absent }) => {
    const acted = happening.reduce(afterAct, estate);
    const subjects = acted.subjects.map(({ asset, ...rest }, i) => ({
      ...rest,
      asset: { ...asset, ...rated[i] },
    }));
    return {
      moves: movesOf(estate, { ...acted, subjects }, absent as (0 | 1 | 2)[]),
      from: { catalogue: threatCatalogueOf(before), known: before, at: estate.at },
      to: { catalogue: threatCatalogueOf(after ?? before), known: after ?? before, at: acted.at },
    };
  });
