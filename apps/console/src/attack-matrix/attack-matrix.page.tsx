import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { type Api, api, client } from '../api/client.ts';
import { eachMinute } from '../api/live.ts';
import { number } from '../language/format.ts';
import { runExport } from '../parts/export/run-export.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered } from '../parts/states.tsx';
import { TableSkeleton } from '../parts/table-skeleton.tsx';
import { useSearch } from '../parts/use-search.ts';
import { useAsOf } from '../time/as-of.ts';
import classes from './attack-matrix.module.css';
import { HEAT_LEVELS, HEATS, type Heat, isHeat } from './heat.ts';
import { MatrixGrid } from './matrix-grid.tsx';
import { MatrixList } from './matrix-list.tsx';
import { OtherTechniques } from './other-techniques.tsx';
import { type Shown, shownMatrix } from './shown-matrix.ts';

type Domain = Api['AttackMatrixDto']['domain'];

const DOMAINS: readonly Domain[] = ['enterprise', 'mobile', 'ics'];

const domainNames = (): Record<Domain, string> => ({
  enterprise: t({ message: 'Enterprise', context: 'ATT&CK domain' }),
  mobile: t({ message: 'Mobile', context: 'ATT&CK domain' }),
  ics: 'ICS',
});

const isDomain = (value: string | undefined): value is Domain => DOMAINS.includes(value as Domain);

const NARROW = '(max-width: 48em)';

/** Findings by technique: what adversaries could do, what was detected, and which controls fail. */
export function Component() {
  const search = useSearch();
  const { asOf, query: instant } = useAsOf();
  const asked = { domain: search.get('domain'), heat: search.get('heat') };
  const domain: Domain = isDomain(asked.domain) ? asked.domain : 'enterprise';
  const heat: Heat = isHeat(asked.heat) ? asked.heat : 'failed';
  const isOnlyNamed = search.get('techniques') === 'named';
  const matrix = api.useQuery(
    'get',
    '/api/v3/attack-matrix',
    { params: { query: { domain, ...instant } } },
    {
      placeholderData: keepPreviousData,
      ...eachMinute(asOf),
    },
  );
  const exportLayer = () =>
    runExport(
      (signal) =>
        client.GET('/api/v3/attack-matrix', {
          params: { query: { domain, ...instant, format: 'navigator', score: heat } },
          parseAs: 'stream',
          signal,
        }),
      { suggestedName: `attack-matrix-${domain}.json`, isLarge: false },
    );
  return (
    <>
      <PageTitle
        actions={
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => void exportLayer()}
          >
            <Trans>Export Navigator layer</Trans>
          </Button>
        }
      >
        {t`ATT&CK matrix`}
      </PageTitle>
      <Stack gap="sm">
        <Group gap="sm">
          <SegmentedControl
            size="xs"
            aria-label={t`Domain`}
            value={domain}
            onChange={(value) => search.set({ domain: value === 'enterprise' ? undefined : value })}
            data={DOMAINS.map((value) => ({ value, label: domainNames()[value] }))}
          />
          <SegmentedControl
            size="xs"
            aria-label={t`Colours show`}
            value={heat}
            onChange={(value) => search.set({ heat: value === 'failed' ? undefined : value })}
            data={Object.entries(HEATS).map(([value, { label }]) => ({ value, label: label() }))}
          />
          <Switch
            size="sm"
            label={HEATS[heat].only()}
            checked={isOnlyNamed}
            onChange={({ currentTarget }) =>
              search.set({ techniques: currentTarget.checked ? 'named' : undefined })
            }
          />
        </Group>
        <Answered query={matrix} waiting={<TableSkeleton />}>
          {(data) =>
            'tactics' in data && (
              <Matrix
                matrix={data}
                shown={shownMatrix(data, heat, isOnlyNamed)}
                isStale={matrix.isPlaceholderData}
              />
            )
          }
        </Answered>
      </Stack>
    </>
  );
}

function Matrix({
  matrix,
  shown,
  isStale,
}: {
  matrix: Api['AttackMatrixDto'];
  shown: Shown;
  isStale: boolean;
}) {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  return (
    <>
      <Legend shown={shown} />
      <div className={classes.matrix} data-stale={isStale || undefined}>
        {isNarrow ? <MatrixList shown={shown} /> : <MatrixGrid shown={shown} />}
      </div>
      {matrix.others.length > 0 && (
        <OtherTechniques others={matrix.others} areCut={matrix.othersAreCut} heat={shown.heat} />
      )}
      <Text size="xs" c="dimmed">
        {matrix.attackVersion === null
          ? t`MITRE ATT&CK data as imported.`
          : `MITRE ATT&CK ${matrix.attackVersion}.`}{' '}
        <Trans>
          The number of a technique does not include its sub-techniques, which are listed under it if findings
          name them.
        </Trans>
      </Text>
    </>
  );
}

function Legend({ shown: { heat, max } }: { shown: Shown }) {
  const label = HEATS[heat].label();
  const most = number(max);
  if (max === 0) return <Text size="sm">{t`${label}: none`}</Text>;
  return (
    <Group gap={6} className={classes.legend}>
      <span>{heat === 'controls' ? t`Failed controls` : label}</span>
      {HEAT_LEVELS.map((level) => (
        <span key={level} className={classes.swatch} data-heat={level} aria-hidden />
      ))}
      <span>{t`1 to ${most}`}</span>
    </Group>
  );
}
