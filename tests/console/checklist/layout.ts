import type { CoverageRow } from './row.ts'

const LAYOUT = 'tests/console/browser/layout.test.ts'
const EVERY = 'tests/console/browser/every-screen.test.ts'
const FAILURES = 'tests/console/browser/failures.test.ts'

export const rows: CoverageRow[] = [
  {
    spec: 'B §2',
    line: 'Top bar: home, console, prices, about, log in and register when logged out',
    test: `${LAYOUT} › the top bar › links visitors to home, console, prices, about, log in and sign up`,
  },
  {
    spec: 'B §2',
    line: 'Top bar: user menu with logout (GET /api/user/logout)',
    test: `${LAYOUT} › the top bar › logs the user out, locally and on the server`,
  },
  {
    spec: 'B §2',
    line: 'Top bar: dark and light, languages zh and en, kept',
    test: "tests/console/browser/login.test.ts › a visitor's choice › of theme and language persists for the next visit",
  },
  {
    spec: 'B §2',
    line: 'Side menu entries, those of administrators for them alone',
    test: `${LAYOUT} › the side menu › has user entries for a common user, and all for an administrator`,
  },
  {
    spec: 'B §2',
    line: 'Side menu: dashboard, drawing and tasks by the flags of the platform',
    test: `${LAYOUT} › the side menu › has dashboard, drawings, tasks and chats only if the platform enables them`,
  },
  {
    spec: 'B §2',
    line: 'Side menu: chat with sub-items from the configured list',
    test: `${LAYOUT} › the side menu › lists the configured chats below one entry, which opens by keyboard`,
  },
  {
    spec: 'A §3',
    line: 'default_collapse_sidebar',
    test: `${LAYOUT} › the side menu › is collapsed as the platform sets, until the user changes it permanently`,
  },
  {
    spec: 'A §9',
    line: 'Mobile width threshold: 600 px',
    test: `${LAYOUT} › a phone, up to 600 pixels wide › has all menus in one drawer`,
  },
  {
    spec: 'B §2',
    line: 'Every route of both tables: whole, accessible in both themes, at 1440 and 390 px',
    test: `${EVERY} › every screen › /pricing is complete, accessible in both themes, and fits a phone`,
  },
  {
    spec: 'B §6',
    line: 'Guarded pages need a login',
    test: `${EVERY} › a visitor › is redirected to the login page from every protected screen, and from no other`,
  },
  {
    spec: 'A §6',
    line: 'Screens of administrators are refused to common users',
    test: `${EVERY} › a common user › sees on administrator screens that access is denied`,
  },
  {
    spec: 'B §8',
    line: 'Status load failure: Failed to load status (获取平台状态失败！), told once, with a retry',
    test: `${FAILURES} › a page is never blank › if its status cannot be loaded: it is reported once, no figure loads forever, and a retry fixes it`,
  },
  {
    spec: 'B §8',
    line: 'Status load failure: Unable to connect to server (无法正常连接至服务器！)',
    test: `${FAILURES} › a page is never blank › if the server is unreachable, in the reader's language`,
  },
  {
    spec: 'beyond',
    line: 'Command palette (Ctrl-K): screens, acts and searches, by keyboard',
    test: `${LAYOUT} › the command palette › opens by Ctrl-K, finds a screen by name, and goes there, all by keyboard`,
  },
]
