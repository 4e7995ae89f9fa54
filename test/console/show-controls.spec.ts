import { expect, it } from '@jest/globals';
import {
  hideControls,
  hideControlsIn,
  isShownRoute,
  showControls,
} from '../../apps/console/src/parts/show-controls.ts';

it('a shown name is the real one again in an address', () => {
  const name = 'R\u202e&D \u2066x';
  const shown = showControls(name);
  expect(shown).toBe('R⟨U+202E⟩&D ⟨U+2066⟩x');
  const address = (value: string) =>
    `https://risk.example/api/v3/assets?department=${encodeURIComponent(value)}`;
  expect(hideControls(address(shown))).toBe(address(name));
  const form = new URLSearchParams({ department: shown }).toString();
  expect(new URLSearchParams(hideControls(form)).get('department')).toBe(name);
});

it('a shown name is the real one again in a body', () => {
  const body = JSON.stringify({ filter: { department: ['R\u202e&D "x"'] }, text: '⟨U+0041⟩ ⟨U+000A⟩' });
  expect(hideControlsIn(showControls(body))).toBe(body);
});

it('other characters stay as they are written', () => {
  const address = `/x?q=${encodeURIComponent('⟨U+0041⟩ ⟨U+202E ⟨U+000A⟩')}`;
  expect(hideControls(address)).toBe(address);
});

it('are shown in answers whose texts are displayed, and not in texts that are edited and sent back', () => {
  const displayed = [
    ...['/api/v3/findings', '/api/v3/assets/1/findings', '/api/v3/uploads/1', '/api/v3/notifications'],
    ...['/integrations/1/findings', '/integrations/1/assets'],
  ];
  const edited = ['/api/v3/notifications/preferences', '/api/v3/plans', '/integrations/1', '/integrations'];
  expect([displayed.filter(isShownRoute), edited.filter(isShownRoute)]).toEqual([displayed, []]);
});
