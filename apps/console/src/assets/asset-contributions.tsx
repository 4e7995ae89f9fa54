import { Text, Title } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { percent } from '../parts/score.tsx';
import { useShownPart } from '../parts/use-shown-part.tsx';
import classes from './asset-score.module.css';

/** A look first; the rest is asked for. */
const AT_ONCE = 5;

/** What makes the score: a bar for each counted finding, as long as its share, and why in words. */
export function AssetContributions({ contributions }: { contributions: Api['ContributionDto'][] }) {
  const { shown, more } = useShownPart(contributions, AT_ONCE);
  const greatest = Math.max(...contributions.map(({ share }) => share), 0.01);
  return (
    <div>
      <Title order={3} size="h6" mb="xs">
        What makes it
      </Title>
      <ul className={classes.bars} aria-label="Contributions">
        {shown.map(({ findingId, name, share, probability, why }) => (
          <li key={findingId}>
            <div className={classes.name}>
              <AppLink to={`/findings/${findingId}`} inherit underline="always">
                {name}
              </AppLink>
              <span className={classes.share}>
                <b>{share.toFixed(1)}</b> points
              </span>
            </div>
            <div className={classes.track} aria-hidden>
              <div className={classes.bar} style={{ width: `${(share / greatest) * 100}%` }} />
            </div>
            <Text className={classes.why} component="p" m={0}>
              {percent(probability)} likely. {why}
            </Text>
          </li>
        ))}
      </ul>
      {more}
    </div>
  );
}
