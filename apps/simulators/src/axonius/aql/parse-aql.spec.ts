import { describe, expect, it } from '@jest/globals';
import { AqlError, parseAql } from './parse-aql.ts';

const DEVICE = {
  labels: ['PCI', 'Lab'],
  'specific_data.data.name': ['Reception PC', 'WEB-1'],
  'specific_data.data.fqdn': 'web-1.example.org',
};

describe('a query', () => {
  it.each([
    ['', true],
    ['("labels" == "PCI")', true],
    ['("labels" == "pci")', false],
    ['"specific_data.data.fqdn" == "web-1.example.org"', true],
    ['("specific_data.data.name" == regex("^web","i"))', true],
    ['("specific_data.data.name" == regex("^web"))', false],
    ['("specific_data.data.name" == regex("WEB-\\d$"))', true],
    ['("specific_data.data.domain" == "x")', false],
    ['("labels" == "x") or ("labels" == "Lab")', true],
    ['("labels" == "x") and ("labels" == "Lab")', false],
    ['("labels" == "PCI") or ("labels" == "x") and ("labels" == "y")', true],
    ['(("labels" == "PCI") or ("labels" == "x")) and ("labels" == "y")', false],
  ])('%s: %s', (query, expected) => {
    expect(parseAql(query).matches(DEVICE)).toBe(expected);
  });

  it.each([
    'labels == "PCI"',
    '"labels" = "PCI"',
    '"labels" in ["PCI"]',
    'not ("labels" == "PCI")',
    '("labels" == "PCI"',
    '("labels" == "PCI") or',
    '"labels" == regex("(")',
    '"labels" == regex("a","z")',
    `${'('.repeat(60)}"labels" == "a"${')'.repeat(60)}`,
  ])('%s is not valid', (query) => {
    expect(() => parseAql(query)).toThrow(AqlError);
  });
});
