/** The release that this version is upgraded from in the tests. A new release is noted here once it is tagged. */
export const RELEASE = {
  name: 'v0.1.0',
  commit: 'eba803d90e269736a4d585a7443d686ca6dcae37',
};
