import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text, Title } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { fixed, number } from '../language/format.ts';
import { probabilityText } from '../parts/score.tsx';
import { useShownPart } from '../parts/use-shown-part.tsx';
import classes from './asset-score.module.css';

/** Initially visible contributions. */
const AT_ONCE = 5;

interface AssetContributionsProps {
  /** Those that are loaded, by decreasing share. */
  contributions: Api['ContributionDto'][];
  /** Number of all. */
  total: number;
  /** Loads the next page; null if all are loaded. */
  onMore: (() => void) | null;
  isLoading: boolean;
}

/** Contributions to the score: a bar and a reason for each counted finding. */
export function AssetContributions({ contributions, total, onMore, isLoading }: AssetContributionsProps) {
  const { shown, more } = useShownPart(contributions, AT_ONCE);
  const all = number(total);
  const greatest = Math.max(contributions[0]?.share ?? 0, 0.01);
  return (
    <div>
      <Title order={3} size="h6" mb="xs">
        <Trans>Contributing findings</Trans>
      </Title>
      <ul className={classes.bars} aria-label={t`Contributions`}>
        {shown.map(({ findingId, name, share, probability, why }) => (
          <li key={findingId}>
            <div className={classes.name}>
              <AppLink to={`/findings/${findingId}`} inherit underline="always">
                <bdi>{name}</bdi>
              </AppLink>
              <span className={classes.share}>
                <Share of={share} />
              </span>
            </div>
            <div className={classes.track} aria-hidden>
              <div className={classes.bar} style={{ width: `${(share / greatest) * 100}%` }} />
            </div>
            <Text className={classes.why} component="p" m={0}>
              {probabilitySentence(probability)} <bdi>{why}</bdi>
            </Text>
          </li>
        ))}
      </ul>
      {more ||
        (onMore && (
          <Button variant="default" size="xs" mt="sm" loading={isLoading} onClick={onMore}>
            <Trans>Load more of {all}</Trans>
          </Button>
        ))}
    </div>
  );
}

function Share({ of: share }: { of: number }) {
  const points = fixed(share, 2);
  return (
    <Trans>
      <b>{points}</b> points
    </Trans>
  );
}

function probabilitySentence(value: number | null): string {
  const probability = probabilityText(value);
  return t`Probability ${probability}.`;
}
