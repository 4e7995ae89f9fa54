import { Button, SegmentedControl, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import { Ranked, RankedItem } from './ranked.tsx';
import { isOutdated, RECOUNT_MS, Recount } from './recount.tsx';
import { Section, Waiting } from './section.tsx';

type Fix = Api['FixDto'];
type Kind = 'all' | 'cves' | 'findings';

const KINDS = { all: 'All', cves: 'CVEs', findings: 'Findings' } as const;
const SHOWN_MAX = 10;
const TITLE = 'Fixes that help most';

/** What to do first. Only the present can be fixed. @param score the present one */
export function BestFixes({ score }: { score: number | null }) {
  const { asOf, set } = useAsOf();
  if (asOf === null) return <PresentFixes score={score} />;
  return (
    <Section title={TITLE}>
      <Empty title="Only the present can be fixed">
        The fixes that help most are worked out for the present alone.
        <Button variant="default" size="xs" mt="sm" display="block" mx="auto" onClick={() => set(null)}>
          Back to now
        </Button>
      </Empty>
    </Section>
  );
}

function PresentFixes({ score }: { score: number | null }) {
  const [kind, setKind] = useState<Kind>('all');
  const fixes = api.useQuery(
    'get',
    '/api/v3/scores/fixes',
    {},
    {
      placeholderData: keepPreviousData,
      meta: { live: false },
      refetchInterval: ({ state }) => isOutdated(state.data?.score, score) && RECOUNT_MS,
    },
  );
  const { data, isFetching, isPlaceholderData, refetch } = fixes;
  return (
    <Section
      title={TITLE}
      control={
        <SegmentedControl
          size="xs"
          aria-label="Kind of fix"
          value={kind}
          onChange={(value) => setKind(value as Kind)}
          data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        />
      }
    >
      {!isPlaceholderData && isOutdated(data?.score, score) && (
        <Recount onNow={() => void refetch()} isBusy={isFetching} />
      )}
      <Answered query={fixes} waiting={<Waiting height={460} />}>
        {(found) => <Fixes of={best(found, kind)} />}
      </Answered>
    </Section>
  );
}

function Fixes({ of: fixes }: { of: Fix[] }) {
  if (fixes.length === 0) return <Empty title="Nothing to fix">No failed finding adds to the score.</Empty>;
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        How far the score falls where one of them alone is fixed:
      </Text>
      <Ranked label="Fixes, the best first">
        {fixes.map((fix) => (
          <RankedItem key={fix.id} by={-fix.lowersBy} about={aboutOf(fix)}>
            <AppLink to={addressOf(fix)} size="sm" fw={550}>
              {fix.name ?? fix.id}
            </AppLink>
          </RankedItem>
        ))}
      </Ranked>
    </>
  );
}

const best = ({ cves, findings }: Api['BestFixesDto'], kind: Kind): Fix[] =>
  ({ cves, findings, all: [...cves, ...findings] })[kind]
    .toSorted((a, b) => b.lowersBy - a.lowersBy)
    .slice(0, SHOWN_MAX);

const addressOf = ({ kind, id }: Fix): string =>
  kind === 'cve' ? `/findings?state=Failed&cve=${encodeURIComponent(id)}` : `/findings/${id}`;

const aboutOf = ({ kind, assets, assetName }: Fix): string =>
  kind === 'cve'
    ? `CVE on ${assets.toLocaleString()} ${assets === 1 ? 'asset' : 'assets'}`
    : `Finding on ${assetName ?? 'an asset'}`;
