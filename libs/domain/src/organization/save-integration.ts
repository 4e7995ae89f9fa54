import type { IntegrationRemoved, IntegrationSaved } from '../events.ts';
import { byName, isSameName } from './names.ts';
import type { Integration, Organization } from './organization.ts';
import { type OrganizationOutcome, refuse } from './organization-outcome.ts';
import { readJson } from './read-json.ts';

/**
 * The audit trail also contains which secrets were set with it. Its source and purpose stay those of its creation. A
 * change that was decided on another version has no effect, and does not restore an integration that was removed since
 * (R-FOLD-6).
 */
export function saveIntegration(organization: Organization, saved: IntegrationSaved): OrganizationOutcome {
  const { integrations = [] } = organization;
  const known = integrations.find(({ id }) => id === saved.id) ?? null;
  const isChange = saved.seenVersion !== null;
  if (isChange && !known) return refuse('unknown');
  if (isChange && known?.version !== saved.seenVersion) return refuse('stale');
  const others = integrations.filter((other) => other !== known);
  const { id, integrationType: type, subType, source, createdAt } = saved;
  const origin = known ?? { id, type, subType, source, createdAt };
  const isTaken = others.some(
    (other) => isSameName(other.name, saved.name) || isSameName(other.source, origin.source),
  );
  if (isTaken) return refuse('nameTaken');
  const after: Integration = {
    ...origin,
    version: (known?.version ?? 0) + 1,
    name: saved.name,
    config: readConfig(saved.config),
  };
  return {
    organization: withIntegrations(organization, [...others, after]),
    before: known,
    after: { ...after, secrets: saved.secrets },
    refused: null,
  };
}

export function removeIntegration(
  organization: Organization,
  { id }: IntegrationRemoved,
): OrganizationOutcome {
  const { integrations = [] } = organization;
  const known = integrations.find((integration) => integration.id === id);
  if (!known) return refuse('unknown');
  const left = integrations.filter((other) => other !== known);
  return { organization: withIntegrations(organization, left), before: known, after: null, refused: null };
}

/** The settings' version does not count them: no signal is decided with them. */
function withIntegrations(
  { integrations: _, ...others }: Organization,
  integrations: Integration[],
): Organization {
  return integrations.length === 0 ? others : { ...others, integrations: integrations.toSorted(byName) };
}

const readConfig = (config: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).flatMap(([field, json]) => {
      const value = readJson(json);
      return value === undefined ? [] : [[field, value]];
    }),
  );
