/** Jest follows imports only to find the spec files of a changed file; `#libs/…` and `#client` must lead it to the sources. */
module.exports = (path, options) =>
  options.defaultResolver(path, { ...options, conditions: [...(options.conditions ?? []), 'source'] });
