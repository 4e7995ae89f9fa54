import { expect, it } from '@jest/globals';
import { otherIssuer } from './oidc-failure.ts';

it('the issuer of a discovery document is no sealed text, which an answer would open', () => {
  expect(otherIssuer('https://a.example', '\uFDD02sealed\uFDD1')).toBe(
    'the discovery document of https://a.example is that of the issuer \uFFFD2sealed\uFFFD',
  );
});
