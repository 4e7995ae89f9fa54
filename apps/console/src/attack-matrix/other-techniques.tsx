import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { CellLink } from '../app/links.tsx';
import { Panel } from '../parts/panel.tsx';
import classes from './attack-matrix.module.css';
import { HEATS, type Heat } from './heat.ts';
import { shownTechnique } from './shown-matrix.ts';

type Other = Api['OtherTechniqueDto'];

const reasons = (): Record<Other['reason'], string> => ({
  unknown: t`not in ATT&CK`,
  revoked: t`revoked`,
  deprecated: t`deprecated`,
  noTactic: t`without a tactic`,
});

/** Techniques that findings name and the matrix does not show. */
export function OtherTechniques({
  others,
  areCut,
  heat,
}: {
  others: readonly Other[];
  areCut: boolean;
  heat: Heat;
}) {
  return (
    <Panel title={t`Techniques outside the matrix`}>
      <ul className={classes.others}>
        {others.map(({ id, name, reason, ...counts }) => {
          const { to } = shownTechnique({ id, name: name ?? '', ...counts }, heat, 1);
          return (
            <li key={id}>
              {to === null ? id : <CellLink to={to}>{id}</CellLink>} {name}{' '}
              <Text span size="sm" c="dimmed">
                {reasons()[reason]}, {HEATS[heat].words(counts)}
              </Text>
            </li>
          );
        })}
      </ul>
      {areCut && (
        <Text size="sm" c="dimmed" mt="xs">
          <Trans>Further techniques are not listed.</Trans>
        </Text>
      )}
    </Panel>
  );
}
