import type { Format } from './format.ts';
import { cyclonedx } from './formats/cyclonedx.ts';
import { defectdojo } from './formats/defectdojo.ts';
import { grype } from './formats/grype.ts';
import { nessus } from './formats/nessus.ts';
import { nuclei } from './formats/nuclei.ts';
import { ocsf } from './formats/ocsf.ts';
import { openvas } from './formats/openvas.ts';
import { qualys } from './formats/qualys.ts';
import { sarif } from './formats/sarif.ts';
import { trivy } from './formats/trivy.ts';
import { zap } from './formats/zap.ts';

/** All that are known, in the order in which they are tried. */
export const FORMATS: Format[] = [
  nessus,
  openvas,
  qualys,
  zap,
  cyclonedx,
  sarif,
  trivy,
  grype,
  nuclei,
  ocsf,
  defectdojo,
];

/** By its name or an alias, in any case. */
export const formatNamed = (name: string): Format | undefined =>
  FORMATS.find((format) => [format.name, ...format.aliases].includes(name.toLowerCase()));
