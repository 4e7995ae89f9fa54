import { attackTechnique } from '#libs/catalogue';
import { collapseWhiteSpace } from '#libs/domain';
import { isObject, type Json, listOf, textOf } from '../json-values.ts';

/** The control of a detection: the same for all of its instances, independent of the detection's other data. */
export interface AlertControl {
  name: string;
  description: string;
  /** ATT&CK technique ids, the control's first; empty if the detection has none. */
  techniques: string[];
  /** The vendor's own technique, which no catalogue has; null if there is none. */
  vendorTechnique: { id: string; name: string } | null;
}

const ATTACK_ID = /^T\d{4}(\.\d{3})?$/;
const TECHNIQUES_MAX = 50;
const UNCOUNTED =
  'The EDR platform maps this detection to no ATT&CK technique: it does not count for scoring.';

/** The control is the ATT&CK technique, or the detection's name if it has none or a vendor's own id (R-EDR-2). */
export function controlOf(alert: Json): AlertControl {
  const ids = techniqueIds(alert);
  const techniques = ids.filter((id) => ATTACK_ID.test(id));
  const [technique] = techniques;
  if (technique !== undefined) return { ...techniqueControl(technique), techniques, vendorTechnique: null };
  const vendorName = textOf(alert.technique);
  const [vendorId] = ids;
  return {
    name: detectionName(alert) || collapseWhiteSpace(vendorName) || vendorId || 'Detection without a name',
    description: UNCOUNTED,
    techniques: [],
    vendorTechnique: vendorId === undefined ? null : { id: vendorId, name: vendorName },
  };
}

/** Named by the catalogue that ships with the project, not by the detection, so that one technique is one control. */
function techniqueControl(id: string): Pick<AlertControl, 'name' | 'description'> {
  const known = attackTechnique(id);
  if (!known) return { name: id, description: `Detections that the EDR platform maps to ${id}.` };
  return {
    name: `${id} ${known.name}`,
    description: `Detections of the ATT&CK technique ${id}, ${known.name} (${known.tactics.join(', ')}).`,
  };
}

function techniqueIds(alert: Json): string[] {
  const mapped = listOf(alert.mitre_attack).filter(isObject).slice(0, TECHNIQUES_MAX);
  const ids = [alert, ...mapped].map(({ technique_id: id }) => textOf(id, 200).toUpperCase());
  return [...new Set(ids.filter((id) => id !== ''))];
}

const detectionName = (alert: Json): string =>
  collapseWhiteSpace(textOf(alert.display_name)) || collapseWhiteSpace(textOf(alert.name));
