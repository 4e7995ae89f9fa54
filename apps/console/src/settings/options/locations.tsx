import { t } from '@lingui/core/macro';
import { Options } from './options.tsx';

export default function Locations() {
  return <Options kind={{ path: '/api/v3/locations', one: 'location', many: t`Locations` }} />;
}
