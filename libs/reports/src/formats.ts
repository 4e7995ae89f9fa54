import type { Format } from './format.ts';
import { csaf } from './formats/csaf.ts';
import { cyclonedx } from './formats/cyclonedx.ts';
import { defectdojo } from './formats/defectdojo.ts';
import { grype } from './formats/grype.ts';
import { kubescape } from './formats/kubescape.ts';
import { nessus } from './formats/nessus.ts';
import { nexpose } from './formats/nexpose.ts';
import { nuclei } from './formats/nuclei.ts';
import { ocsf } from './formats/ocsf.ts';
import { openvas } from './formats/openvas.ts';
import { qualys } from './formats/qualys.ts';
import { qualysWas } from './formats/qualys-was.ts';
import { sarif } from './formats/sarif.ts';
import { tenableCsv } from './formats/tenable-csv.ts';
import { trivy } from './formats/trivy.ts';
import { xccdf } from './formats/xccdf.ts';
import { zap } from './formats/zap.ts';
import { readMapFolder, shippedMaps } from './map/map-folder.ts';
import { WrongMap } from './map/wrong-map.ts';

/** Formats in code. */
const FORMATS: Format[] = [
  nessus,
  tenableCsv,
  nexpose,
  openvas,
  qualys,
  qualysWas,
  xccdf,
  zap,
  cyclonedx,
  csaf,
  sarif,
  trivy,
  grype,
  kubescape,
  nuclei,
  ocsf,
  defectdojo,
];

/**
 * Formats in code, the maps of the product, and the user's own in the folder that `POSTURE_MAPS` names.
 * @throws WrongMap if a map is wrong, or two formats have one name
 */
export function knownFormats(mapFolder: string | undefined): Format[] {
  const own = mapFolder ? readMapFolder(mapFolder) : [];
  const formats = [...FORMATS, ...shippedMaps(), ...own];
  const names = formats.flatMap(({ name, aliases }) => [name, ...aliases]);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new WrongMap(`two formats have the name ${twice}: rename the map in POSTURE_MAPS`);
  return formats;
}

/** By its name or an alias, in any case. */
export const formatNamed = (name: string, formats: Format[]): Format | undefined =>
  formats.find((format) => [format.name, ...format.aliases].includes(name.toLowerCase()));
