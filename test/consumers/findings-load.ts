import { findingId } from '#libs/domain';
import { plainSignal } from '../support/api-client.ts';
import { DAY_MS } from '../support/scenario.ts';
import { until } from '../support/until.ts';
import type { PublishedSite } from './published-site.ts';

const HOSTS = 12;
const FINDINGS_PER_HOST = 10;
/** A second assessment leaves these out. */
const GONE_PER_HOST = 3;

const host = (n: number): string => `web${n}`;
const findingName = (n: number): string => `weakness ${n}`;

/** A ZIP in which each host has its findings from `first` on. */
const assessment = (first: number) =>
  Object.fromEntries(
    Array.from({ length: HOSTS }, (_, h) =>
      Array.from({ length: FINDINGS_PER_HOST - first }, (_, f) => [
        `${host(h)}-${f + first}.json`,
        plainSignal(findingName(f + first), host(h)),
      ]),
    ).flat(),
  );

const CREATED = HOSTS * FINDINGS_PER_HOST;

/** Every finding once, on every partition. Returns the number of resulting records of the topic. */
export async function createFindings(site: PublishedSite): Promise<number> {
  await site.upload(assessment(0));
  return CREATED;
}

/** Findings change in every way. Returns the number of resulting records of the topic. */
export async function changeFindings(site: PublishedSite): Promise<number> {
  await site.upload({ ...assessment(GONE_PER_HOST), 'config.json': { fullAssessmentForTypes: ['va'] } });
  const retired = HOSTS * GONE_PER_HOST;
  await site.send(passing(host(0)));
  await site.send(worse(host(1)));
  await site.send(plainSignal(findingName(0), host(2)));
  await accept(site, host(3));
  await accept(site, host(4));
  await revert(site, host(4));
  const oneByOne = 6;
  return retired + oneByOne + (await deleteAsset(site, host(5)));
}

const lastFinding = findingName(FINDINGS_PER_HOST - 1);

const passing = (name: string) => signalWith(name, { status: { complianceStatus: 'pass' } });

const worse = (name: string) =>
  signalWith(name, {
    severity: { type: 'cvss', value: 9.8 },
    evidence: { observationText: 'listens on 0.0.0.0 – überall' },
  });

function signalWith(name: string, context: Record<string, unknown>) {
  const signal = plainSignal(lastFinding, name);
  return { ...signal, securityContext: { ...signal.securityContext, ...context } };
}

async function accept(site: PublishedSite, name: string): Promise<void> {
  const id = await lastFindingOf(site, name);
  const until = Date.now() + DAY_MS;
  await site.act(name, {
    type: 'FindingAccepted',
    findingId: id,
    seenVersion: null,
    rationale: 'behind a wall',
    until,
  });
  await untilShown(site, id, ({ state }) => state === 'AcceptedFailed');
}

async function revert(site: PublishedSite, name: string): Promise<void> {
  const id = await lastFindingOf(site, name);
  await site.act(name, {
    type: 'FindingReverted',
    findingId: id,
    seenVersion: null,
    to: 'Failed',
    rationale: null,
  });
  await untilShown(site, id, ({ heldFailed }) => heldFailed !== null);
}

/** Each active finding is retired, and each finding that there ever was ends in a tombstone. */
async function deleteAsset(site: PublishedSite, name: string): Promise<number> {
  const assetId = await assetIdOf(site, name);
  await site.act(name, { type: 'AssetDeleted', assetId, seenVersion: null });
  await untilShown(site, findingId(assetId, 'va', lastFinding), ({ state }) => state === 'Retired');
  return FINDINGS_PER_HOST - GONE_PER_HOST + FINDINGS_PER_HOST;
}

const lastFindingOf = async (site: PublishedSite, name: string): Promise<string> =>
  findingId(await assetIdOf(site, name), 'va', lastFinding);

async function assetIdOf({ client }: PublishedSite, name: string): Promise<string> {
  const assets = await client.all(`/api/v3/assets?name=${name}`);
  return assets.find((asset) => asset.name === name).id;
}

const untilShown = (
  { client }: PublishedSite,
  id: string,
  condition: (finding: any) => boolean,
): Promise<void> => until(id, async () => condition(await client.get(`/api/v3/findings/${id}`)));
