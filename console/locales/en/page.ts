import type { page as zh } from '../zh/page.ts'

export const page: typeof zh = {
  loading: 'Loading',
  failed: 'Something went wrong',
  failedHint: 'Reload the page. If it fails again, contact the administrator.',
  unloaded: 'The page could not be loaded',
  partUnloaded: 'This part could not be loaded',
  unloadedHint: 'The network may be gone, or the platform was just updated. Check your network and reload.',
  reload: 'Reload',
  notFound: 'Page not found',
  notFoundHint: 'Check that the address in your browser is correct',
  home: 'Back to the home page',
  forbidden: 'No permission for this operation',
  forbiddenHint: 'This page is for administrators only.',
  retry: 'Try again',
}
