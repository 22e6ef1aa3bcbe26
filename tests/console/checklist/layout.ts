import type { CoverageRow } from './row.ts'

const LAYOUT = 'tests/console/browser/layout.test.ts'
const EVERY = 'tests/console/browser/every-screen.test.ts'
const FAILURES = 'tests/console/browser/failures.test.ts'

export const rows: CoverageRow[] = [
  {
    spec: 'B §2',
    line: 'Top bar: home, console, prices, about, log in and register when logged out',
    test: `${LAYOUT} › the top bar › leads visitors to home, console, prices, about, log in and sign up`,
  },
  {
    spec: 'B §2',
    line: 'Top bar: user menu with logout (GET /api/user/logout)',
    test: `${LAYOUT} › the top bar › logs the user out, here and on the server`,
  },
  {
    spec: 'B §2',
    line: 'Top bar: dark and light, languages zh and en, kept',
    test: 'tests/console/browser/login.test.ts › what a visitor chooses › theme and language are there on the next visit',
  },
  {
    spec: 'B §2',
    line: 'Side menu entries, those of administrators for them alone',
    test: `${LAYOUT} › the side menu › has for a common user what is theirs, and for an administrator all`,
  },
  {
    spec: 'B §2',
    line: 'Side menu: dashboard, drawing and tasks by the flags of the platform',
    test: `${LAYOUT} › the side menu › has dashboard, drawings, tasks and chats only where the platform has switched them on`,
  },
  {
    spec: 'B §2',
    line: 'Side menu: chat with sub-items from the configured list',
    test: `${LAYOUT} › the side menu › lists the configured chats below one entry, which the keyboard opens`,
  },
  {
    spec: 'A §3',
    line: 'default_collapse_sidebar',
    test: `${LAYOUT} › the side menu › is collapsed as the platform says, until the person says otherwise, for good`,
  },
  {
    spec: 'A §9',
    line: 'Mobile width threshold: 600 px',
    test: `${LAYOUT} › a phone, up to 600 pixels wide › has all menus in one drawer`,
  },
  {
    spec: 'B §2',
    line: 'Every route of both tables: whole, accessible in both themes, at 1440 and 390 px',
    test: `${EVERY} › every screen › /pricing is whole, accessible in both themes, and as wide as a phone`,
  },
  {
    spec: 'B §6',
    line: 'Guarded pages need a login',
    test: `${EVERY} › a visitor › is led to the login page from every screen that needs it, and from no other`,
  },
  {
    spec: 'A §6',
    line: 'Screens of administrators are refused to common users',
    test: `${EVERY} › a common user › is told at the screens of administrators that they are not for them`,
  },
  {
    spec: 'B §8',
    line: 'Status load failure: Failed to load status (获取平台状态失败！), told once, with a retry',
    test: `${FAILURES} › a page is never blank › when its status cannot be loaded: it is reported once, no figure waits for ever, and a retry fixes it`,
  },
  {
    spec: 'B §8',
    line: 'Status load failure: Unable to connect to server (无法正常连接至服务器！)',
    test: `${FAILURES} › a page is never blank › when the server is out of reach, in the words of the reader`,
  },
  {
    spec: 'beyond',
    line: 'Command palette (Ctrl-K): screens, acts and searches, by keyboard',
    test: `${LAYOUT} › the command palette › opens by Ctrl-K, finds a screen by its name, and goes there, all by keyboard`,
  },
]
