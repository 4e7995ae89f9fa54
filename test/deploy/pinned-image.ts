/** `name:version@digest`: the version for readers, the digest for the pull. */
export const PINNED_IMAGE = /^[\w./-]+:(?!latest@)[\w.-]+@sha256:[0-9a-f]{64}$/;
