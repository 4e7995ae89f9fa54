import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { BrokenPage } from './broken-page.tsx';
import { NotFoundPage } from './not-found.page.tsx';
import { retryableLazy } from './retryable-lazy.tsx';
import { Shell } from './shell.tsx';

/** Loads a page on first use. */
const page = (path: string, load: () => Promise<{ Component: ComponentType }>): RouteObject => ({
  path,
  Component: retryableLazy(async () => (await load()).Component),
});

const BrokenShell = () => (
  <main>
    <BrokenPage />
  </main>
);

export const router = createBrowserRouter(
  [
    {
      ErrorBoundary: BrokenShell,
      children: [page('/sign-in/:provider', () => import('../session/provider-sign-in.page.tsx'))],
    },
    {
      Component: Shell,
      ErrorBoundary: BrokenShell,
      children: [
        {
          ErrorBoundary: BrokenPage,
          children: [
            page('/', () => import('../overview/overview.page.tsx')),
            page('/findings', () => import('../findings/findings.page.tsx')),
            page('/findings/:id', () => import('../findings/finding.page.tsx')),
            page('/plans', () => import('../plans/plans.page.tsx')),
            page('/plans/:id', () => import('../plans/plan.page.tsx')),
            page('/assets', () => import('../assets/assets.page.tsx')),
            page('/assets/:id', () => import('../assets/asset.page.tsx')),
            page('/attack-matrix', () => import('../attack-matrix/attack-matrix.page.tsx')),
            page('/groups', () => import('../groups/groups.page.tsx')),
            page('/uploads', () => import('../uploads/uploads.page.tsx')),
            page('/uploads/:id', () => import('../uploads/upload.page.tsx')),
            page('/notifications', () => import('../notifications/notifications.page.tsx')),
            page('/notifications/preferences', () => import('../notifications/preferences.page.tsx')),
            page('/integrations', () => import('../integrations/integrations.page.tsx')),
            page('/integrations/:id', () => import('../integrations/integration.page.tsx')),
            page('/settings', () => import('../settings/settings.page.tsx')),
            page('/settings/:section', () => import('../settings/settings.page.tsx')),
            { path: '*', Component: NotFoundPage },
          ],
        },
      ],
    },
  ],
  { basename: '/app' },
);
