import type { Type } from '@nestjs/common';
import { IntersectionType, PartialType } from '@nestjs/swagger';

/** The forms of one kind's configuration. */
export interface ConfigForms {
  /** In responses. */
  shown: Type<object>;
  /** For a new integration: the secret is required. */
  whole: Type<object>;
  /** A stored configuration with changes: it provides omitted fields, except the secret. */
  merged: Type<object>;
  /** The fields of a PATCH; the others are unchanged. */
  changes: Type<object>;
}

/** @param name begins the names of the schemas in the OpenAPI document: `NewFalconConfigDto` */
export function configForms(name: string, shown: Type<object>, secrets: Type<object>): ConfigForms {
  const named = (prefix: string, form: Type<object>): Type<object> => {
    Object.defineProperty(form, 'name', { value: `${prefix}${name}ConfigDto` });
    return form;
  };
  const optional = { skipNullProperties: false };
  const whole = named('New', IntersectionType(shown, secrets));
  return {
    shown,
    whole,
    merged: named('Merged', IntersectionType(shown, PartialType(secrets, optional))),
    changes: named('Change', PartialType(whole, optional)),
  };
}
