// npm copies addresses as packages write them; CycloneDX requires URLs.

/** git@host:path, which git accepts but which is not a URL. */
const SCP_FORM = /^(\w+@[\w.-]+):(?!\/\/)(.+)$/;

/** A copy of a component whose external references are URLs. References that cannot become a URL are omitted. */
export const withValidReferences = ({ externalReferences = [], ...component }) => ({
  ...component,
  externalReferences: externalReferences
    .map((one) => ({ ...one, url: one.url.replace(SCP_FORM, 'ssh://$1/$2') }))
    .filter(({ url }) => URL.canParse(url)),
});
