import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { useMay } from '../session/session.ts';
import { fullInstant } from './instant.tsx';

/** A switch of the scoring model. */
export interface ModelChange {
  /** Epoch milliseconds. */
  at: number;
  before: string;
  after: string;
}

/** @param first model of the first point of the history */
export const modelChangesOf = (changes: readonly Api['ModelChangeDto'][], first: string): ModelChange[] =>
  changes.map(({ at, model }, i) => ({
    at: Date.parse(at),
    before: changes[i - 1]?.model ?? first,
    after: model,
  }));

export function modelChangeText({ at, before, after }: ModelChange): string {
  const time = fullInstant(new Date(at).toISOString());
  return t`The model changed from ${before} to ${after} on ${time}.`;
}

/** Explains the marks of a chart: what happened, and why the line is interrupted. */
export function ModelChangeNote({ changes }: { changes: readonly ModelChange[] }) {
  const isAudited = useMay('audit:read');
  return changes.map((change) => (
    <Text key={change.at} size="xs" c="dimmed">
      {modelChangeText(change)} <Trans>Scores and likelihoods of two models cannot be compared.</Trans>{' '}
      {isAudited && (
        <AppLink to={auditAddress(change)} size="xs" underline="always">
          <Trans>Show the change</Trans>
        </AppLink>
      )}
    </Text>
  ));
}

/** The change of the settings in the audit trail, whose times have no fractions of a second. */
function auditAddress({ at }: ModelChange): string {
  const second = Math.floor(at / 1000) * 1000;
  const [from, to] = [second, second + 1000].map((time) => new Date(time).toISOString());
  return `/settings/audit?${new URLSearchParams({ action: 'settings.changed', from: from!, to: to! })}`;
}
