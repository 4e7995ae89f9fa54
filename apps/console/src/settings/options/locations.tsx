import { t } from '@lingui/core/macro';
import { Options } from './options.tsx';

export default function Locations() {
  return (
    <Options
      kind={{
        path: '/api/v3/locations',
        many: t`Locations`,
        add: t`Add a location`,
        isNowDefault: t`This location is now the default.`,
        removal: t`Assets that have this location keep its name. Signals can no longer set it.`,
      }}
    />
  );
}
