import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  attackBundle,
  ctidMappings,
  kevCatalog,
  nvdFeed,
  nvdRecord,
  type StixObject,
  stixMitigation,
  stixRelationship,
  stixTechnique,
} from '../../../test/fixtures/catalogue/samples.ts';
import { all, TemporaryFiles } from '../../../test/fixtures/catalogue/temporary-files.ts';
import type { AttackRow } from './attack-bundle.ts';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { readAttack } from './read-attack.ts';

let files: TemporaryFiles;
beforeEach(async () => {
  files = await TemporaryFiles.create();
});
afterEach(() => files.remove());

const read = async (content: string | Buffer, name = 'enterprise-attack') =>
  all(readAttack(await files.write(name, content)));
const readObjects = (...objects: StixObject[]) => read(JSON.stringify(attackBundle(objects)));

const row = (id: string, given: Partial<AttackRow> = {}): AttackRow => ({
  id,
  name: `Technique ${id}`,
  domain: 'enterprise',
  tactics: ['execution'],
  revoked: false,
  deprecated: false,
  revokedBy: null,
  mitigations: [],
  ...given,
});

const ROWS = [
  row('T1059', { mitigations: ['M1038'] }),
  row('T1059.001'),
  row('T1078', { tactics: ['initial-access', 'persistence'] }),
  // A revoked technique has no kill chain, and this one has no `x_mitre_domains` either.
  row('T1086', { domain: undefined, tactics: [], revoked: true, revokedBy: 'T1059.001' }),
];

describe('ATT&CK as STIX (R-CAT-1)', () => {
  const { spec_version: _, ...plain } = { ...attackBundle(), spec_version: '2.0' };
  it.each([
    ['STIX 2.1', JSON.stringify(attackBundle())],
    ['STIX 2.0', JSON.stringify({ ...plain, spec_version: '2.0' }, null, 4)],
    ['a packed file', gzipSync(JSON.stringify(attackBundle()))],
    ['a file with a byte order mark', `\uFEFF${JSON.stringify(attackBundle())}`],
  ])('is read as %s, sorted by id', async (_name, content) => {
    expect(await read(content)).toEqual(ROWS);
  });

  it.each([
    ['mobile', 'mitre-mobile-attack', 'T1626'],
    ['ics', 'mitre-ics-attack', 'T0803'],
  ] as const)('is read of the matrix %s', async (domain, source, id) => {
    const technique = stixTechnique(id, ['impact'], {}, source);
    expect(await readObjects(technique)).toEqual([row(id, { domain, tactics: ['impact'] })]);
  });

  it('has the matrix of a revoked technique by its domains', async () => {
    const revoked = { revoked: true, x_mitre_domains: ['mobile-attack'] };
    expect(await readObjects(stixTechnique('T1401', [], revoked))).toMatchObject([{ domain: 'mobile' }]);
  });

  it('is read from a directory with one bundle for each matrix', async () => {
    await files.write('attack/enterprise-attack.json', JSON.stringify(attackBundle()));
    await files.write('attack/ics-attack.json', JSON.stringify(attackBundle([stixTechnique('T0803')])));
    await files.write('attack/README.md', '# ATT&CK');
    expect(await all(readAttack(`${files.path}/attack`))).toEqual([...ROWS, row('T0803')]);
  });

  it('has no tactics of other kill chains', async () => {
    const phases = [
      { kill_chain_name: 'lockheed-martin-cyber-kill-chain', phase_name: 'Actions on Objectives' },
      { kill_chain_name: 'mitre-attack', phase_name: 'impact' },
    ];
    const [technique] = await readObjects(stixTechnique('T1486', [], { kill_chain_phases: phases }));
    expect(technique).toMatchObject({ tactics: ['impact'] });
  });

  it('has mitigations that are in force, each once', async () => {
    const rows = await readObjects(
      stixTechnique('T1059'),
      stixMitigation('M1038'),
      stixMitigation('M1026'),
      stixMitigation('M1001', { revoked: true }),
      stixMitigation('M1002', { x_mitre_deprecated: true }),
      // Of early releases: one mitigation of each technique.
      stixMitigation('M1003', {
        external_references: [{ source_name: 'mitre-attack', external_id: 'T1059' }],
      }),
      ...['M1038', 'M1038', 'M1026', 'M1001', 'M1002', 'M1003', 'M1999'].map((id) =>
        stixRelationship('mitigates', id, 'T1059'),
      ),
      stixRelationship('mitigates', 'M1038', 'T9999'),
      stixRelationship('subtechnique-of', 'T1059.001', 'T1059'),
    );
    expect(rows).toEqual([row('T1059', { mitigations: ['M1026', 'M1038'] })]);
  });

  it('leaves out relationships that are revoked or deprecated', async () => {
    const [technique] = await readObjects(
      stixTechnique('T1059'),
      stixMitigation('M1038'),
      stixRelationship('mitigates', 'M1038', 'T1059', { revoked: true }),
      stixRelationship('mitigates', 'M1038', 'T1059', { x_mitre_deprecated: true }),
    );
    expect(technique!.mitigations).toEqual([]);
  });

  it('keeps deprecated techniques, and revoked ones without a successor', async () => {
    expect(
      await readObjects(
        stixTechnique('T1001', ['impact'], { x_mitre_deprecated: true }),
        stixTechnique('T1002', [], { revoked: true }),
        stixTechnique('T1003', [], { revoked: true }),
        stixRelationship('revoked-by', 'T1003', 'T1003'),
        stixTechnique('T1004'),
        stixRelationship('revoked-by', 'T1004', 'T1001'),
      ),
    ).toMatchObject([
      { id: 'T1001', deprecated: true, revoked: false },
      { id: 'T1002', revoked: true, revokedBy: null },
      { id: 'T1003', revoked: true, revokedBy: null },
      { id: 'T1004', revoked: false, revokedBy: null },
    ]);
  });

  it('takes the valid one of two techniques with an id that was used again', async () => {
    const old = stixTechnique('T1059', [], { id: 'attack-pattern--old', revoked: true });
    for (const objects of [
      [old, stixTechnique('T1059')],
      [stixTechnique('T1059'), old],
    ]) {
      expect(await readObjects(...objects)).toEqual([row('T1059')]);
    }
  });

  it('gives the same rows for any order of objects (property)', async () => {
    const objects = attackBundle().objects as StixObject[];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(objects, { minLength: objects.length }), async (shuffled) => {
        expect(await read(JSON.stringify({ ...attackBundle(), objects: shuffled }))).toEqual(ROWS);
      }),
      { numRuns: 20 },
    );
  });

  const technique = (given: StixObject) => JSON.stringify(attackBundle([stixTechnique('T1059', [], given)]));
  const damaged: [name: string, content: string, problem: RegExp][] = [
    [
      'that is cut off',
      JSON.stringify(attackBundle()).slice(0, -20),
      /the file ends in the middle of its JSON/,
    ],
    ['that is empty', '', /the file ends in the middle of its JSON/],
    ['that is CSV', 'cveID,dateAdded\n', /is not valid JSON/],
    [
      'that is the KEV catalogue',
      JSON.stringify(kevCatalog()),
      /is not a STIX bundle: `type` must be `bundle`/,
    ],
    ['that is an NVD feed', JSON.stringify(nvdFeed([nvdRecord('CVE-2024-1000')])), /is not a STIX bundle/],
    ['that is a mapping of CVEs', JSON.stringify(ctidMappings()), /is not a STIX bundle/],
    ['that is an array', '[{"type":"bundle"}]', /is not a STIX bundle/],
    ['without techniques', JSON.stringify(attackBundle([])), /has no ATT&CK techniques/],
    ['without objects', '{"type":"bundle","objects":{}}', /has no ATT&CK techniques/],
    ['with an object that is none', '{"type":"bundle","objects":[7]}', /objects\[0\]: must be an object/],
    [
      'of CAPEC',
      technique({
        external_references: [
          { source_name: 'capec', external_id: 'CAPEC-13' },
          { source_name: 'ATTACK', external_id: 'T1574.007' },
        ],
      }),
      /objects\[1\]: must have the id of an ATT&CK technique/,
    ],
    [
      'of ATLAS',
      technique({ external_references: [{ source_name: 'mitre-atlas', external_id: 'AML.T0000' }] }),
      /must have the id of an ATT&CK technique/,
    ],
    [
      'with a technique without a name',
      technique({ name: '' }),
      /`name` of T1059 must be a text of 1 to 500/,
    ],
    ['with a name that is too long', technique({ name: 'x'.repeat(501) }), /`name` of T1059/],
    [
      'with a tactic that is none',
      technique({ kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'a tactic; drop' }] }),
      /`kill_chain_phases` of T1059 must name tactics/,
    ],
    ['with a technique without a STIX id', technique({ id: 7 }), /must have the ids of STIX objects/],
  ];

  it.each(damaged)('is rejected with the place: a file %s', async (_name, content, problem) => {
    const reading = read(content);
    await expect(reading).rejects.toThrow(CatalogueFileError);
    await expect(reading).rejects.toThrow(problem);
    await expect(reading).rejects.toThrow(/enterprise-attack/);
  });

  it('is rejected if it has more objects than any release', async () => {
    const relation = JSON.stringify(stixRelationship('mitigates', 'M1038', 'T1059'));
    const content = `{"type":"bundle","objects":[${Array(100_001).fill(relation).join()}]}`;
    await expect(read(content)).rejects.toThrow(/more than 100000 techniques, mitigations and relationships/);
  }, 30_000);

  it('is rejected if a directory has none', async () => {
    await files.write('README.md', '# ATT&CK');
    await expect(all(readAttack(files.path))).rejects.toThrow(/has no STIX bundles/);
  });
});
